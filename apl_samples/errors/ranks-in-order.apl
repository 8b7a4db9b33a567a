⍝ A scalar has no order, nothing is found in it, and sets are vectors.
⍝ == error 9:4 RANK ERROR: ⍋
⍝ == error 10:4 RANK ERROR: ⍒
⍝ == error 11:3 RANK ERROR: ⍳
⍝ == error 12:3 RANK ERROR: ⍸
⍝ == error 13:4 RANK ERROR: ∪
⍝ == error 14:5 RANK ERROR: ∩
⍝ == error 15:4 RANK ERROR: ~
a←⍋5
a←⍒5
a←5⍳5
a←5⍸5
a←(2 2⍴1)∪1 2
a←1∩2 2⍴1
a←(2 2⍴1)~1
