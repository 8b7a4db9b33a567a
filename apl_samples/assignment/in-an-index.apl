⍝ An index is evaluated before the array that it indexes: the name means what the assignment on its right gave it.
⍝ == input v int 3: 30 10 20
⍝ == output 10 20 30
⍝ == output 10 20 30
x←1 2
⎕←x[⍋x←v]
⎕←{a←9 ⋄ a[⍋a←⍵]}v
