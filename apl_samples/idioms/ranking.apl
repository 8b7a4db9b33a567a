⍝ Grades as values: ranks, sorting, the places of the largest, whether something is a permutation, the inverse of one.
⍝ == input v double 5: 3 1 4 1 5
⍝ == input p int 4: 3 1 4 2
⍝ == output 3 1 4 2 5
⍝ == output 3 4 2 5 1
⍝ == output 1 1 3 4 5
⍝ == output 1 1 3 4 5
⍝ == output 5 4 3 1 1
⍝ == output 1 1 3 4 5
⍝ == output 5 3
⍝ == output 5
⍝ == output 2
⍝ == output 2 4
⍝ == output 2 4 1 3
⍝ == output 1 2 3 4
⍝ == output 1
⍝ == output 1
⍝ == output 0
⍝ == output 1
⎕←⍋⍋v
⎕←⍋⍒v
⎕←v[⍋v]
⎕←{⍵[⍋⍵]}v
⎕←v[⍒v]
⎕←(⌽v)[⍋⌽v]
⎕←2↑⍒v
⎕←v⍳⌈/v
⎕←v⍳⌊/v
⎕←⍸v=⌊/v
⎕←⍋p
⎕←p[⍋p]
⎕←p≡⍋⍋p
⎕←(⍳≢p)≡p[⍋p]
⎕←∧/(⍳≢v)∊v
⎕←∧/2≤/v[⍋v]
