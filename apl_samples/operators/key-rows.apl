⍝ The keys of ⌸ may be the rows of a matrix: each is a vector for the function, whose results may differ in length.
⍝ == input m int 4 2: 1 2 3 4 1 2 5 6
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 5 6
⍝ == output 2 1
⍝ == output 4 3
⍝ == output 6 5
⍝ == output 1 2 1 3
⍝ == output 3 4 2 0
⍝ == output 5 6 4 0
⍝ == output 2 1 1
⍝ == output 3 7 11
⍝ == output 4 3 3
⍝ == output ab
⍝ == output cd
⍝ == output 0
{⍺}⌸m
{⌽⍺}⌸m
{⍺,⍵}⌸m
{≢⍵}⌸m
{+/⍺}⌸m
≢¨{⊂⍺,⍵}⌸m
{⍺}⌸3 2⍴'abcdab'
≢{⍺}⌸0⌿m
