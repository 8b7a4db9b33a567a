⍝ What windows share with those above and below is computed once for each row, and no border is written.
⍝ == input m int 3 4: 1 2 3 4 5 6 7 8 9 10 11 12
⍝ == output 14 24 30 22
⍝ == output 33 54 63 45
⍝ == output 30 48 54 38
⍝ == output 26 30 34 36
⍝ == output 48 40 40 52
⍝ == output 42 30 34 52
⍝ == output 24 30 39 45
⍝ == output 48 54 63 69
⍝ == output 72 78 87 93
⍝ == structure {modulo 0}
{+/,⍵}⌺3 3⊢m
x←{+/,⍵×3 3⍴¯1 0 1 ¯2 0 2 ¯1 0 1}⌺3 3⊢m
y←{+/,⍵×3 3⍴¯1 ¯2 ¯1 0 0 0 1 2 1}⌺3 3⊢m
(|x)+|y
p←(⊣/q),q,⊢/q←(⊣⌿m)⍪m⍪⊢⌿m
r←(0 ¯2↓p)+(0 1↓0 ¯1↓p)+0 2↓p
(¯2↓r)+(1↓¯1↓r)+2↓r
