⍝ Monadic ∊ is the ravel of an array that holds no arrays.
⍝ == input m int 2 2: 1 2 3 4
⍝ == output 1 2 3 4
⍝ == output 5
⍝ == output 1
⍝ == output
⍝ == output abcd
⍝ == output 1 2 3 4
⎕←∊2 2⍴⍳4
⎕←∊5
⎕←⍴∊5
⎕←∊⍬
⎕←∊2 2⍴'abcd'
⎕←∊m
