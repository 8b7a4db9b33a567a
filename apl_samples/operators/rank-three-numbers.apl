⍝ f⍤a b c: a for one argument, b and c for the left and right one of two. Two numbers are left and right, and the right
⍝ one also counts for one argument.
⍝ == input m int 2 3: 1 2 3 4 5 6
⍝ == output 6 15
⍝ == output 2 3 4
⍝ == output 6 7 8
⍝ == output 3 2 1
⍝ == output 6 5 4
⍝ == output 4 5 6
⍝ == output 1 2 3
⍝ == output 3 2 1
⍝ == output 6 5 4
⍝ == output 11 12 13
⍝ == output 24 25 26
⎕←(+/⍤1 0 2)m
⎕←1 2(+⍤2 0 1)m
⎕←(⌽⍤0 1)m
⎕←(⊖⍤1 2)m
⎕←(⊖⍤2 1)m
⎕←m(+⍤0 1 0)10 20
