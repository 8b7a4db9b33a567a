⍝ A matrix as a matrix of blocks, their sums, and one matrix again.
⍝ == output 2 2
⍝ == output  1 2 3      4  5  6 
⍝ == output  7 8 9     10 11 12 
⍝ == output  13 14 15  16 17 18 
⍝ == output  19 20 21  22 23 24 
⍝ == output  30  48
⍝ == output 102 120
⍝ == output 1
m←4 6⍴⍳24
rows←(4⍴1 0)⊂⍳4
blocks←⊂[3 4]1 3 2 4⍉2 2 2 3⍴m
⎕←⍴blocks
⎕←blocks
⎕←+/¨,¨blocks
⎕←m≡4 6⍴1 3 2 4⍉↑blocks
