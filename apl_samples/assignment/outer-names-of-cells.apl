⍝ Functions that change outer names, and give arrays or work on cells: ¨, ⍤, ∘., reductions and scans along each axis.
⍝ == input m int 2 3: 1 2 3 4 5 6
⍝ == output 1 ¯1
⍝ == output 3 ¯2
⍝ == output 6 ¯3
⍝ == output 12 27
⍝ == output 3 2 1
⍝ == output 6 5 4
⍝ == output 31 32 33
⍝ == output 36 37 38
⍝ == output 1 ¯1 2 ¯2 3 ¯3
⍝ == output 46
⍝ == output 2 5
⍝ == output ¯3 ¯3 ¯3
⍝ == output 1 ¯1 2
⍝ == output 4 ¯1 5
⍝ == output  1  2  3
⍝ == output ¯3 ¯3 ¯3
⍝ == output aba
⍝ == output aba
⍝ == output 129 130
⍝ == output 131 132
⍝ == output 0
⍝ == output 68
x←0
⎕←↑{x+←⍵ ⋄ x,-⍵}¨⍳3
⎕←({x+←+/⍵ ⋄ x}⍤1)m
⎕←({x+←1 ⋄ ⌽⍵}⍤1)m
x-←1
⎕←1 2({x+←⍺+0×≢⍵ ⋄ x+⍵}⍤0 1)m+1
less←{x+←1 ⋄ ⍺-⍵}
⎕←less\,m
⎕←x+0
⎕←less/m
⎕←less⌿m
⎕←less\m
⎕←less⍀m
⎕←↑{x+←1 ⋄ ⍵⍴'ab'}¨3 3
⎕←(⍳2)∘.{x+←1 ⋄ x+64+0×⍺⌈⍵}⍳2
⎕←⍴{x+←1 ⋄ ⍵ ⍵}¨0⍴m
⎕←x
