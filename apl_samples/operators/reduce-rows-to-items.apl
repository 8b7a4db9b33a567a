⍝ A reduction of a matrix with a function that makes arrays of elements gives an array for each vector along the axis.
⍝ == input m int 2 3: 1 2 3 4 5 6
⍝ == input n int: 2
⍝ == output  1 4  2 5  3 6 
⍝ == output  1 2 3  4 5 6 
⍝ == output  1 4  2 5  3 6 
⍝ == output  4 1  5 2  6 3 
⍝ == output  a-b  c-d 
⍝ == output 2 2
⍝ == output 2
{⍺ ⍵}⌿2 3⍴⍳6
{⍺,⍵}/m
{⍺,⍵}⌿m
{⍵,⍺}/[1]m
{⍺,'-',⍵}/2 2⍴'abcd'
⍴{⍺,⍵}/n 2 3⍴⍳12
≢{⍺,⍵}⌿0↑⍉m
