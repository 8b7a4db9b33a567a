⍝ The mean of a cell and its four neighbours, ⍺ times, on the torus ⍵: five points by rotations. 25 spreads to the five
⍝ cells and then on; two steps away the ways left and right round the torus meet.
⍝ == output 0 5 0 0
⍝ == output 5 5 5 0
⍝ == output 0 5 0 0
⍝ == output 0 0 0 0
⍝ == output 2 2 2 0
⍝ == output 2 5 2 2
⍝ == output 2 2 2 0
⍝ == output 0 2 0 0
⍝ == structure {allocs 2, modulo 0, branches 0}
relax ← {0.2×⍵+(1⌽⍵)+(¯1⌽⍵)+(1⊖⍵)+¯1⊖⍵}
run   ← {(relax⍣⍺)⍵}
one   ← 4 4⍴25×6=⍳16
⎕←1 run one
⎕←2 run one
