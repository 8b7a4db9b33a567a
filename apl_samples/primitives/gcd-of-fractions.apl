⍝ ∨ of fractions is the greatest number of which both are multiples, up to ⎕CT; ∧ the least multiple of both.
⍝ == input x double 3: 0.6 12 1
⍝ == output 0.3 6 0.25
⍝ == output 1.8 36 5
⍝ == output 0.25
⍝ == output 1
⍝ == output 0
⍝ == output 2.5
x∨0.9 18 0.75
x∧0.9 18 1.25
∨/0.5 1.5 2.25
1E20∨3
0.0∧2.5
0.0∨¯2.5
