⍝ The last axis of the left argument goes with the first axis of the right one; the others follow each other.
⍝ == input c double 2 2 2: 1 2 3 4 5 6 7 8
⍝ == input m double 2 3: 1 0 2 0 1 1
⍝ == output 1 2  4
⍝ == output 3 4 10
⍝ == output
⍝ == output 5 6 16
⍝ == output 7 8 22
⍝ == output 2 2 2 2
⍝ == output 21 43
⍝ == output 65 87
⍝ == output 51 62
⍝ == output 73 84
⍝ == output 12 14
⍝ == output 16 18
⍝ == output  6 14
⍝ == output 22 30
⍝ == output 12 16
⍝ == output 20 24
⍝ == output 3 4
⍝ == output 0
⍝ == output 6 3
⍝ == output 100 9
⍝ == output 4 5
⍝ == output 6 3
⎕←c+.×m
⎕←⍴c+.×c
⎕←c+.×1 10
⎕←1 10+.×c
⎕←c⌈.+1 10
⎕←c+.×2
⎕←2+.×c
⎕←⍴(3 0⍴0)+.×0 4⍴0
⎕←⌈/⌈/(3 0⍴0)+.×0 4⍴0
⎕←m{⍺⌈⍵}.{⍺×⍵}1 2 3
⎕←m{⍺+10×⍵}.-1 0 1
⎕←m+.{(⍺>0)×⍵}1 2 3
⎕←m(⊣⌈⊢).×1 2 3
