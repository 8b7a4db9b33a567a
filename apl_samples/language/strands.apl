⍝ Scalars side by side are a vector: numbers, names and parenthesised scalars. A strand binds tighter than any function.
⍝ == output 1 2 3
⍝ == output 5 2 5
⍝ == output 5 7 1
⍝ == output 11 12 14
⍝ == output 1.5 2 5
⍝ == output 3
⍝ == output aba
⍝ == output 1 0 2
⍝ == output 2
⍝ == output 2 1
⍝ == output 6 4
a←5 ⋄ c←'a'
⎕←1 2 3
⎕←a 2 a
⎕←a (a+2) 1
⎕←1 2 4+10
⎕←1.5 2 a
⎕←⍴a a a
⎕←c 'b' c
⎕←(1=1) 0 2
⎕←(⎕←2)1⊣0
⎕←(2×3) 4
