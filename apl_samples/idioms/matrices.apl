⍝ Matrices: row and column sums, diagonals, normalising, borders, quarter turns, removing empty rows, ravelled order.
⍝ == input m int 3 3: 1 2 3 0 0 0 7 8 9
⍝ == output 6 0 24
⍝ == output 8 10 12
⍝ == output 30
⍝ == output 1 0 9
⍝ == output 3 0 7
⍝ == output 1 2 3
⍝ == output 7 8 9
⍝ == output 1 2 3
⍝ == output 7 8 9
⍝ == output 7 0 1
⍝ == output 8 0 2
⍝ == output 9 0 3
⍝ == output 3 0 9
⍝ == output 2 0 8
⍝ == output 1 0 7
⍝ == output 9 8 7
⍝ == output 0 0 0
⍝ == output 3 2 1
⍝ == output 0 0 0
⍝ == output 1 2 3
⍝ == output 0 0 0
⍝ == output 7 8 9
⍝ == output 0 1 2 3 0
⍝ == output 0 0 0 0 0
⍝ == output 0 7 8 9 0
⍝ == output 0 0 0 0
⍝ == output 0 1 2 3
⍝ == output 0 0 0 0
⍝ == output 0 7 8 9
⍝ == output 0 0
⍝ == output 8 9
⍝ == output 0
⍝ == output 9
⍝ == output 0 1 0
⍝ == output 0 0 1
⍝ == output 0 7
⍝ == output 2 1
⍝ == output 2 2
⍝ == output 1
⍝ == output 11 22 33
⍝ == output 10 20 30
⍝ == output 17 28 39
⎕←+/m
⎕←+⌿m
⎕←+/,m
⎕←1 1⍉m
⎕←1 1⍉⌽m
⎕←(∨/m≠0)⌿m
⎕←(0≠+/m)⌿m
⎕←⌽⍉m
⎕←⍉⌽m
⎕←⌽⊖m
⎕←0⍪m
⎕←0,m,0
⎕←¯4 ¯4↑m
⎕←1 1↓m
⎕←(1 1↓¯1 ¯1↓m)
⎕←⌈/,m
⎕←m∧.=0
⎕←m∨.>8
⎕←(,m)[4 7]
⎕←⍉3 3⊤¯1+⍸,m>7
⎕←m≡⍉⍉m
⎕←m+⍤1⊢10 20 30
