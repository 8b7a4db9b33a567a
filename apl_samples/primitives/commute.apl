⍝ x f⍨y is y f x; f⍨y is y f y.
⍝ == output 4
⍝ == output 0
⍝ == output 9
⍝ == output 1 1 1
⍝ == output 1 2 1 2
⍝ == output ¯1
⍝ == output 2 2 2
⍝ == output 1 2 3
⍝ == output 2 4 6
⍝ == output 3 6 9
⍝ == output 20
⍝ == output 0
⍝ == output 2 3 1
⎕←1-⍨5
⎕←-⍨5
⎕←2*⍨3
⎕←÷⍨1 2 3
⎕←,⍨1 2
⎕←3{⍺-⍵}⍨2
⎕←2⍴⍨3
⎕←∘.×⍨⍳3
⎕←+⍨10
⎕←-⍨/1 2 3        ⍝ with b-a between a and b: 3-2 is 1, 1-1 is 0
⎕←1 2 3⌽⍨1
