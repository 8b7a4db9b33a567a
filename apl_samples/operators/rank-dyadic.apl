⍝ x(f⍤j k)y pairs cells of rank j with cells of rank k; one side may be a single cell. A single number is both.
⍝ == input m int 2 3: 1 2 3 4 5 6
⍝ == input v int 3: 10 20 30
⍝ == output 11 22 33
⍝ == output 14 25 36
⍝ == output 11 22 33
⍝ == output 14 25 36
⍝ == output 3 4  5
⍝ == output 6 8 10
⍝ == output 11 12 13
⍝ == output 24 25 26
⍝ == output 11 12 13
⍝ == output 24 25 26
⍝ == output 1 3
⍝ == output 2 4
⍝ == output 1 2 3 1 2 3
⍝ == output 4 5 6 4 5 6
⍝ == output 140 320
⍝ == output  7 10
⍝ == output 15 22
⍝ == output
⍝ == output 19 22
⍝ == output 43 50
⍝ == output 2 3 1
⍝ == output 6 4 5
⍝ == output 20 30 10
⍝ == output 10 20 30
⍝ == output 9 18 27
⍝ == output 1 0
⍝ == output 3 1 4
⍝ == output 13 23 33
⍝ == output 1 2
⍝ == output 4 5
⍝ == output 1 10
⍝ == output 2 20
⍝ == output 3 30
⍝ == output
⍝ == output 4 40
⍝ == output 5 50
⍝ == output 6 60
⎕←v(+⍤1)m
⎕←m(+⍤1)v
⎕←1 2(×⍤0 1)3 4 5
⎕←10 20(+⍤0 1)m
⎕←m(+⍤1 0)10 20
⎕←1 2(,⍤0)3 4
⎕←m(,⍤1)m
⎕←m(+.×⍤1)v
⎕←(2 2⍴⍳4)(+.×⍤2)2 2 2⍴⍳8
⎕←1 2(⌽⍤0 1)m
⎕←1 0(⌽⍤0 1)v
⎕←v(-⍤¯1)1 2 3
⎕←m(∧/⍤=⍤1)1 2 3
⎕←v(⍳⍤1 0)30 10 5
⎕←3(+⍤1)v
⎕←2(↑⍤0 1)m
⎕←m(∘.×⍤1)1 10
