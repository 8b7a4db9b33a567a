⍝ A matrix of one element extends to any matrix.
⍝ == input w int 2 2: 1 2 3 4
⍝ == case one
⍝ == input m int 1 1: 10
⍝ == output 11 12
⍝ == output 13 14
⍝ == output 50
⍝ == output 2 2
⍝ == case equal shapes
⍝ == input m int 2 2: 10 20 30 40
⍝ == output 11 22
⍝ == output 33 44
⍝ == output 110
⍝ == output 2 2
⎕←m+w
⎕←+/,m+w
⎕←⍴w×m
