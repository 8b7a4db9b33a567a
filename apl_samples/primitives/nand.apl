⍝ Dyadic ⍲ is the negated and, of zeros and ones whatever their type.
⍝ == input i int 4: 0 0 1 1
⍝ == output 1 1 1 0
⍝ == output 1 0
⍝ == output 1 1 0 0
⍝ == output
⎕←0 0 1 1⍲0 1 0 1
⎕←1⍲1 2=2
⎕←i⍲1
⎕←⍬⍲1
