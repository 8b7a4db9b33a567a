⍝ Weights that stand again and again beside the elements, in rounds: no element asks for a remainder.
⍝ == structure {modulo 0, allocs 0}
⍝ == input v double 7: 1 2 3 4 5 6 7
⍝ == case three weights
⍝ == input w double 3: 1 10 100
⍝ == output 982
⍝ == case one weight
⍝ == input w double 1: 2
⍝ == output 56
⍝ == case as many weights as elements, and more
⍝ == input w double 9: 1 1 1 1 1 1 2 3 4
⍝ == output 35
⍝ == case no weights, so zeros
⍝ == input w double 0:
⍝ == output 0
⍝ == case no elements
⍝ == input v double 0:
⍝ == input w double 2: 1 2
⍝ == output 0
+/v×(⍴v)⍴w
