⍝ == output 1 1 0 1 0
⍝ == output 1 1 1 0
⍝ == output 
⍝ == output 1
⍝ == output 1 0 1
⍝ The mask of the elements that did not occur before.
≠1 2 1 3 2
≠'abca'
≠⍬
≠7
⎕IO←0
≠2.5 2.5 1
