⍝ ⊃ with a number picks an item of a strand of arrays, without one it gives the first.
⍝ == input v double 3: 1 2 3
⍝ == output abc
⍝ == output 1 2
⍝ == output 1 2
⍝ == output 6
⍝ == output 7
⎕←2⊃(1 2)'abc'
⎕←1⊃(1 2)(3 4 5)
⎕←⊃(1 2)5
⎕←+/2⊃5 v
⎕←3⊃5 v 7
