⍝ `~` and `≠` are scalar functions of one argument or two, and others of two or one: then they get whole rows.
⍝ == output 2 2
⍝ == output 3 3
⍝ == output 1 2 0
⍝ == output 3 1 0
⍝ == output 1 1 0
⍝ == output 1 1 0
⍝ == output 1 0 0
⍝ == output 0 1 0
⍝ == output 1 2 0
⍝ == output 3 1 0
m←2 3⍴1 2 2 3 1 3
⎕←{⍵~1}⍤1⊢m
⎕←(⊢×≠)⍤1⊢m
⎕←≠⍤1⊢m
⎕←{~⍵>1}⍤1⊢m
f←≠
⎕←{⍵×f ⍵}⍤1⊢m
