⍝ f⌺sizes with fewer sizes than axes: the last axes are whole. Windows of even size have no middle: there is one less
⍝ than elements. A second row of the sizes says how far windows are from each other.
⍝ == input n int: 5
⍝ == output 55 120 195 155
⍝ == output  7  9 11 13 15
⍝ == output 18 21 24 27 30
⍝ == output 33 36 39 42 45
⍝ == output 27 29 31 33 35
⍝ == output  1
⍝ == output  0
⍝ == output  0
⍝ == output ¯1
⍝ == output 6 10 14 12
⍝ == output  1
⍝ == output  0
⍝ == output  0
⍝ == output  0
⍝ == output ¯1
⍝ == output 1 2
⍝ == output 2 3
⍝ == output 3 4
⍝ == output 4 5
⍝ == output 0 1 2 3
⍝ == output 2 3 4 5
⍝ == output 4 5 6 0
⍝ == output 14 18 22
⍝ == output 30 34 38
⍝ == output  76 120 132  92
⍝ == output 138 216 234 162
⍝ == output 108 168 180 124
⍝ == output 
⍝ == output  76 120 132  92
⍝ == output 138 216 234 162
⍝ == output 108 168 180 124
⍝ == output 36 40 44 48
⍝ == output 66 72 78 84
⍝ == output 52 56 60 64
⍝ == output 
⍝ == output 36 40 44 48
⍝ == output 66 72 78 84
⍝ == output 52 56 60 64
⍝ == output  1  1
⍝ == output  1 ¯1
⍝ == output 
⍝ == output ¯1  1
⍝ == output ¯1 ¯1
⍝ == output 16 20 24 28
⍝ == output 69 75 81 87
⍝ == output ab
⍝ == output bc
⍝ == output cd
⍝ == output 0
⍝ == output 0
⍝ == output  1 2  2 3  3 4 
{+/,⍵}⌺3⊢4 5⍴⍳20
{+⌿⍵}⌺3⊢4 5⍴⍳20
{⍺}⌺3⊢4 5⍴⍳20
{+/⍵}⌺4⊢⍳n
{⍺}⌺4⊢⍳6
{⍵}⌺2⊢⍳n
{⍵}⌺(2 1⍴4 2)⊢⍳6
{+/,⍵}⌺2 2⊢3 4⍴⍳12
{+/,⍵}⌺3 3 3⊢2 3 4⍴⍳24
{+⌿+⌿⍵}⌺3 3⊢2 3 4⍴⍳24
{⍺}⌺3 3⊢2 2 2⍴1
{+/,⍵}⌺(2 2⍴3 2 2 1)⊢4 5⍴⍳20
{⍵}⌺2⊢'abcd'
⍴{+/⍵}⌺2⊢0⍴n
⍴{+/,⍵}⌺3⊢0 3⍴n
{⊂⍵}⌺2⊢⍳4
