⍝ Dyadic ⊃ is the element of that number, counted from 1.
⍝ == input i int: 3
⍝ == input v int 3: 10 20 30
⍝ == output 20
⍝ == output 5
⍝ == output c
⍝ == output 20
⍝ == output 20
⍝ == output
⍝ == output 30
⍝ == output 30 10
⎕←2⊃10 20 30
⎕←1⊃,5
⎕←3⊃'abc'
⎕←(,2)⊃10 20 30
⎕←2.0⊃10 20 30
⎕←⍴2⊃10 20 30
⎕←i⊃10 20 30
⎕←(i⊃v),(i-2)⊃v
