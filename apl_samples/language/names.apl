⍝ Names hold letters, digits, _ ∆ ⍙; upper and lower case differ; a name means what it was given last.
⍝ == output 1 2
⍝ == output 3
⍝ == output 12
⍝ == output 5 6
⍝ == output 8
⍝ == output 8 8
x←1 ⋄ X←2
⎕←x,X
∆x_1←3 ⋄ ⎕←∆x_1
x←x+10 ⋄ ⎕←x+1
a←1+b←4 4+0 1 ⋄ ⎕←a
été←4 ⋄ ⎕←2×été
p←q←8 ⋄ ⎕←p,q
