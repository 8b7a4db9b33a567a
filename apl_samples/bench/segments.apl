⍝ A vector that is cut into items before each 1 of ⍺: the sums of the items, and all items sorted. The inner
⍝ products of pairs of items.
⍝ == output 6 5 17.5
⍝ == output 1 2 3 5 8.5 9
⍝ == output 3 24
sums   ← {+/¨⍺⊂⍵}
sorted ← {∊{⍵[⍋⍵]}¨⍺⊂⍵}
dots   ← {+/¨⍺×⍵}
marks ← 1 0 0 1 1 0
v ← 3 1 2 5 9 8.5
⎕←marks sums v
⎕←marks sorted v
⎕←(1 2)(3 4 5) dots (1 1)(2 2 2)
