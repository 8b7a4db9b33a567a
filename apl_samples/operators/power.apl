⍝ (f⍣n)y applies f n times, x(f⍣n)y is (x∘f⍣n)y. None at all gives y.
⍝ == input v double 2: 16 81
⍝ == output 1024
⍝ == output 1024
⍝ == output 7
⍝ == output 5
⍝ == output 40
⍝ == output 10
⍝ == output 7
⍝ == output ¯5
⍝ == output abc
⍝ == output 5 6 1 2 3 4
⍝ == output 2 3
⍝ == output 1 4 6 4 1
⍝ == output 1
⍝ == output 6
⍝ == output 8 16 24
⍝ == output 1 3 6 10
⍝ == output 1 4
⍝ == output 0 1
⎕←({⍵×2}⍣10)1
⎕←{⍵×2}⍣10⊢1
⎕←({⍵×2}⍣0)7
⎕←1+⍣5⊢0
⎕←2×⍣3⊢5
⎕←3(-⍣2)10
⎕←10(-⍣3)3
⎕←-⍣3⊢5
⎕←(⌽⍣2)'abc'
⎕←(1∘⌽⍣4)⍳6
⎕←(*∘0.5⍣2)v
⎕←({(0,⍵)+⍵,0}⍣4),1
⎕←({⍵÷2}⍣3)8
⎕←({⍵+1}⍣2⍣3)0
⎕←((2∘×)⍣3)¨1 2 3
⎕←(+\⍣3)1 0 0 0
⎕←((+.×⍨)⍣2)2 2⍴1 1 0 1
