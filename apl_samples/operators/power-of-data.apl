⍝ How often is data.
⍝ == input v double 3: 1 2 3
⍝ == case none
⍝ == input n int: 0
⍝ == output 1 2 3
⍝ == output 5
⍝ == output 1
⍝ == case once
⍝ == input n int: 1
⍝ == output 2 3 1
⍝ == output 7
⍝ == output 1 1
⍝ == case five times
⍝ == input n int: 5
⍝ == output 3 1 2
⍝ == output 15
⍝ == output 1 5 10 10 5 1
⎕←(1∘⌽⍣n)v
⎕←2(+⍣n)5
⎕←({(0,⍵)+⍵,0}⍣n),1
