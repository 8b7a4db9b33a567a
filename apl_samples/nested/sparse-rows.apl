⍝ A sparse matrix as such, for each row the columns of its elements and these: times a vector, as a full
⍝ matrix, and its transpose in the same form.
⍝ == output 40 0 250
⍝ == output 0 2 0
⍝ == output 0 0 0
⍝ == output 1 0 8
⍝ == output  3  1  3 
⍝ == output  1  2  8 
⍝ == output 1 0 2
columns←(,2)⍬(1 3)
values←(,2)⍬(1 8)
x←10 20 30
⎕←+/¨values×{x[⍵]}¨columns
⎕←↑columns{r←3⍴0 ⋄ r[⍺]←⍵ ⋄ r}¨values
row←(≢¨columns)/⍳≢columns
order←⍋∊columns
rows←(∊columns)[order]{⊂⍵}⌸row[order]
⎕←rows
⎕←(∊columns)[order]{⊂⍵}⌸(∊values)[order]
⎕←≢¨columns
