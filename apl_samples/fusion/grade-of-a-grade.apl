⍝ The grade of a grade is the inverse of that permutation, the ranks of what is graded: each position writes its own number
⍝ where it points to, and nothing is sorted again. Equal elements have their ranks in order.
⍝ == input v int 6: 30 10 20 10 50 40
⍝ == output 4 1 3 2 6 5
⍝ == output 5 6 2 3 1 4
⍝ == output 2 4 3 1 6 5
⍝ == output 3 5 4 6 1 2
⍝ == output 1 2 1
⎕←⍋⍋v
⎕←⍒⍋v
⎕←⍋⍋⍋v
⎕←⍋⍒v
g←⍋v ⋄ r←⍋g ⋄ g[1]←7 ⋄ ⎕←(3⍴⍋g)⌊r[2 4 2]
