⍝ Dyadic ⌷ takes one index for each of the leading axes; axes without one are taken whole.
⍝ == input v double 3: 2.5 3 4
⍝ == input m int 2 3: 1 2 3 4 5 6
⍝ == input i int: 2
⍝ == output 20
⍝ == output
⍝ == output 20
⍝ == output c
⍝ == output 4
⍝ == output 4 5 6
⍝ == output 5 6
⍝ == output 5 6
⍝ == output 7 8
⍝ == output 3
⍝ == output 5
⍝ == output 3
⍝ == output 4 5 6
⍝ == output 6
⎕←2⌷10 20 30
⎕←⍴2⌷10 20 30
⎕←(,2)⌷10 20 30
⎕←3⌷'abc'
⎕←2 1⌷2 3⍴⍳6
⎕←2⌷2 3⍴⍳6
⎕←2 1⌷2 2 2⍴⍳8
⎕←2⌷2 2 2⍴⍳8
⎕←1 2 1⌷2 2 2⍴⍳8
⎕←⍬⌷5
⎕←i⌷v
⎕←i⌷m
⎕←i 3⌷m
