⍝ Tables by outer product.
⍝ == output 1 2  3  4
⍝ == output 2 4  6  8
⍝ == output 3 6  9 12
⍝ == output 4 8 12 16
⍝ == output 1 0 0
⍝ == output 1 1 0
⍝ == output 1 1 1
⍝ == output 1 1 1 1
⍝ == output 1 2 1 2
⍝ == output 1 1 3 1
⍝ == output 1 2 1 4
⍝ == output 1            0.5          0.3333333333
⍝ == output 0.5          0.3333333333 0.25
⍝ == output 0.3333333333 0.25         0.2
⎕←∘.×⍨⍳4
⎕←∘.≥⍨⍳3
⎕←∘.∨⍨⍳4
⎕←÷¯1+∘.+⍨⍳3
