⍝ A function that makes arrays of elements, in windows, reductions and scans: an array of arrays.
⍝ == output  a-b  b-c
⍝ == output  1 2  2 3  3 4
⍝ == output  2 1  3 2  4 3
⍝ == output  1 4  2 5  3 6
⍝ == output  1 2 3  2 3 4  3 4 5
⍝ == output  2 x  3 x
⍝ == output  1  2 3
⍝ == output 32 12 4 1
⍝ == output  1  2 1  3 2 1  4 3 2 1
2{⍺,'-',⍵}/'abc'
2{⍺ ⍵}/1 2 3 4
¯2{⍺ ⍵}/1 2 3 4
2{⍺ ⍵}⌿2 3⍴⍳6
3{⍺,⍵}/⍳5
2{⍵'x'}/1 2 3
{⍺ ⍵}/1 2 3
v←⍳3+≢⍕1
⊃{(2×⍵),⍺}/v
{⍵,⍺}\v
