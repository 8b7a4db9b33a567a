⍝ (f⍤k)y applies f to the cells of rank k; a negative k counts from the rank of y. A k beyond the rank takes all of y.
⍝ == input m int 2 3: 1 5 3 6 2 4
⍝ == input c double 2 2 2: 1 2 3 4 5 6 7 8
⍝ == output 9 12
⍝ == output 9 12
⍝ == output 3 5 1
⍝ == output 4 2 6
⍝ == output 3 5 1
⍝ == output 4 2 6
⍝ == output 3 4
⍝ == output 1 2
⍝ == output
⍝ == output 7 8
⍝ == output 5 6
⍝ == output  4  6
⍝ == output 12 14
⍝ == output 1 3
⍝ == output 2 4
⍝ == output
⍝ == output 5 7
⍝ == output 6 8
⍝ == output 1 2 3 4
⍝ == output 5 6 7 8
⍝ == output 1 3 2
⍝ == output 2 3 1
⍝ == output 0.25 0.75
⍝ == output 0.5  0.5
⍝ == output 0 4 2
⍝ == output 4 0 2
⍝ == output ¯1 ¯5 ¯3
⍝ == output ¯6 ¯2 ¯4
⍝ == output 1 2
⍝ == output 2 4
⍝ == output 3 6
⍝ == output 3
⍝ == output 3
⍝ == output 3 3
⍝ == output 9 12
⍝ == output  4  6
⍝ == output 12 14
⍝ == output 4 8
⍝ == output 6
⍝ == output 7
⍝ == output 0 6
⎕←(+/⍤1)m
⎕←+/⍤1⊢m
⎕←(⌽⍤1)m
⎕←(⊖⍤1)m
⎕←(⊖⍤2)c
⎕←(+⌿⍤2)c
⎕←(⍉⍤2)c
⎕←(,⍤2)c
⎕←(⍋⍤1)m
⎕←({⍵÷+/⍵}⍤1)2 2⍴1 3 2 2
⎕←({⍵-⌊/⍵}⍤1)m
⎕←(-⍤0)m
⎕←({⍵,⍵×2}⍤0)1 2 3
⎕←(⍴⍤1)m
⎕←(≢⍤¯1)m
⎕←(+/⍤¯1)m
⎕←(+⌿⍤¯1)c
⎕←(⌈/,)⍤2⊢c
⎕←(+/⍤5)1 2 3
⎕←(⌽⍤1)7
⎕←⍴({⍵,⍵}⍤1)0 3⍴0
