⍝ Five-point stencils by rotation: the borders wrap around. A single 1 spreads to its four neighbours. In the last
⍝ one the neighbours of 1 are 2 and 3 beside it, 4 and 7 above and below: the largest is 7.
⍝ == input m double 4 4: 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0 0
⍝ == output 0  1 0 0
⍝ == output 1 ¯4 1 0
⍝ == output 0  1 0 0
⍝ == output 0  0 0 0
⍝ == output 0
⍝ == output 7 8 9
⍝ == output 7 8 9
⍝ == output 9 9 8
laplace ← {(1⌽⍵)+(¯1⌽⍵)+(1⊖⍵)+(¯1⊖⍵)-4×⍵}
⎕←laplace m
⎕←+/,laplace laplace m
⎕←{(1⌽⍵)⌈(¯1⌽⍵)⌈(1⊖⍵)⌈¯1⊖⍵}3 3⍴⍳9
