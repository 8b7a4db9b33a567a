⍝ Monadic ⌹: of a square matrix the inverse; with more rows than columns the matrix that solves by least squares,
⍝ which is (⌹(⍉a)+.×a)+.×⍉a. A vector counts as one column: its inverse is the vector divided by its square.
⍝ == input m double 2 2: 4 7 2 6
⍝ == input t int 3 2: 1 1 1 2 1 3
⍝ == output  0.6 ¯0.7
⍝ == output ¯0.2  0.4
⍝ == output 0.25
⍝ == output
⍝ == output 0.125
⍝ == output 0.1111111111 0.2222222222 0.2222222222
⍝ == output  8 2 ¯4
⍝ == output ¯3 0  3
⍝ == output 1 0 0
⍝ == output 0 1 0
⍝ == output 0 0 1
⍝ == output 0 1
⍝ == output 1 0
⍝ == output  0.6 ¯0.7
⍝ == output ¯0.2  0.4
⍝ == output 2 3
⎕←⌹2 2⍴4 7 2 6
⎕←⌹4
⎕←⍴⌹4
⎕←⌹1 1⍴8
⎕←⌹1 2 2
⎕←⌊0.5+6×⌹3 2⍴1 1 1 2 1 3
⎕←⌊0.5+(⌹3 3⍴2 1 1 1 3 2 1 0 0)+.×3 3⍴2 1 1 1 3 2 1 0 0
⎕←⌊0.5+⌹2 2⍴0 1 1 0           ⍝ nothing to divide by in the corner
⎕←⌹m
⎕←⍴⌹t
