⍝ Digits run along the first axis on the right, radices along the last axis on the left.
⍝ == input r int 2 2: 2 2 10 10
⍝ == input m int 2 2: 1 2 3 4
⍝ == output 14 25 36
⍝ == output 7 15
⍝ == output  5  8
⍝ == output 13 24
⍝ == output 5 101
⍝ == output 11 22 33
⍝ == output 3 4
⍝ == output 0 0
⍝ == output  5  8
⍝ == output 13 24
⍝ == output 13 24
⎕←10⊥2 3⍴⍳6
⎕←(2 2⍴2 2 10 10)⊥1 5
⎕←(2 2⍴2 2 10 10)⊥2 2⍴⍳4
⎕←(2 1⍴2 10)⊥1 0 1
⎕←10 10⊥1 3⍴1 2 3
⎕←⍴10⊥2 3 4⍴0
⎕←10⊥0 2⍴0
⎕←r⊥m
⎕←10⊥m
