⍝ Who has won: a board of 1 for X, ¯1 for O. Lines are rows, columns and diagonals; and whether all fields are taken.
⍝ == input b int 3 3: 1 ¯1 0 ¯1 1 0 0 ¯1 1
⍝ == output 0 0 0 0 ¯1 1 3 1
⍝ == output X
⍝ == output O
⍝ == output -
⍝ == output =
⍝ == output XO.
⍝ == output OX.
⍝ == output .OX
⍝ == output 3
lines←{(+/⍵),(+⌿⍵),(+/1 1⍉⍵),+/1 1⍉⌽⍵}
winner←{3∊lines ⍵:'X' ⋄ ¯3∊lines ⍵:'O' ⋄ 0∊⍵:'-' ⋄ '='}
⎕←lines b
⎕←winner b
⎕←winner -b
⎕←winner 3 3⍴0
⎕←winner 3 3⍴1 ¯1 1 1 ¯1 ¯1 ¯1 1 1
⎕←'O.X'[2+b]
⎕←+/,0=b
