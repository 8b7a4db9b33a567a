⍝ The trace of a matrix: the sum of its diagonal. tr(AB) is tr(BA).
⍝ == input m double 3 3: 1 2 3 4 5 6 7 8 9
⍝ == output 15
⍝ == output 15
⍝ == output 1
⍝ == output 9
⍝ == output 15
⎕←+/1 1⍉3 3⍴⍳9
⎕←+/1 1⍉m
a ← 2 3⍴1 2 0 ¯1 3 1
b ← 3 2⍴2 0 1 1 ¯1 2
⎕←(+/1 1⍉a+.×b)=+/1 1⍉b+.×a
⎕←+/,a×⍉b            ⍝ the same: 2+2+0+0+3+2
⎕←+/1 1⍉⊖m
