⍝ The rank operator in place of loops over rows.
⍝ == input m double 2 3: 3 1 2 6 4 5
⍝ == input c double 2 2 2: 1 2 3 4 5 6 7 8
⍝ == output 1 3
⍝ == output 2 4
⍝ == output
⍝ == output 5 7
⍝ == output 6 8
⍝ == output 3 2  6
⍝ == output 6 8 15
⍝ == output 1 2 3
⍝ == output 4 5 6
⍝ == output 2 3 1
⍝ == output 2 3 1
⍝ == output 0.25 0.75
⍝ == output 0.5  0.5
⍝ == output 2 5
⍝ == output 2 2
⍝ == output 11 21
⍝ == output 12 22
⍝ == output ¯1.5 ¯1.5 ¯1.5
⍝ == output  1.5  1.5  1.5
⍝ == output 1 ¯1 0
⍝ == output 1 ¯1 0
⍝ == output  3  7
⍝ == output 11 15
⍝ == output  4  6
⍝ == output 12 14
⍝ == output 10 26
⍝ == output 2 3 1
⍝ == output 5 6 4
⍝ == output 0 0 1
⍝ == output 0 0 0
⎕←⍉⍤2⊢c
⎕←1 2 3×⍤1⊢m
⎕←{⍵[⍋⍵]}⍤1⊢m
⎕←⍋⍤1⊢m
⎕←(⊢÷+/)⍤1⊢2 2⍴1 3 2 2
⎕←(+/÷≢)⍤1⊢m
⎕←(⌈/-⌊/)⍤1⊢m
⎕←1 2∘.+⍤0 1⊢10 20
⎕←m-⍤1⊢(+⌿÷≢)m
⎕←m-⍤1 0⊢(+/÷≢)⍤1⊢m
⎕←+/⍤1⊢c
⎕←+⌿⍤2⊢c
⎕←(+/,)⍤2⊢c
⎕←2⌽⍤1⊢m
⎕←'abc'∊⍤1 0⊢'cd'
