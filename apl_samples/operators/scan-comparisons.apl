⍝ Scans by comparisons of numbers: the last two elements are compared first, and what comes of that, 0 or 1, with those
⍝ before them, from right to left. The first element is what it was: 3≠3 0 1 … begins with 3. 2|⍳9 has its parity.
⍝ == input v double 20: 3.5 3 0 1 2 1 1 0 0.5 1 0 0 1 1 1 0 2 2 1 0
⍝ == input m int 2 18: 2 0 0 2 0 0 1 2 1 2 0 1 1 1 1 1 0 0 1 1 2 0 2 0 0 0 1 0 2 2 2 1 0 0 1 1
⍝ == output 1 1 0 0 1 1 0 0 1
⍝ == output 3.5 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
⍝ == output 3.5 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
⍝ == output 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
⍝ == output 1 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
⍝ == output 2 0 0 2 0 0 1 2 1 2 0 1 1 1 1 1 0 0
⍝ == output 1 0 0 1 0 1 1 1 1 1 0 0 0 1 1 1 0 0
⍝ == output 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
⍝ == output 1 1 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
⍝ == output 0
⍝ == output 3 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
⎕←≠\2|⍳9
⎕←≠\v
⎕←<\v
⎕←=\m
⎕←≥⍀m
⎕←≤\m
⎕←⍴>\0⍴v
⎕←≠\20⍴3
