⍝ Magic squares of odd order by two rotations of ⍳n×n, and the test: rows, columns and diagonals have one sum.
⍝ == input n int: 7
⍝ == output 8 1 6
⍝ == output 3 5 7
⍝ == output 4 9 2
⍝ == output 15 15 15 15 15 15 15 15
⍝ == output 1 1 1
⍝ == output 1
⍝ == output 175
⍝ == output 0
⍝ == output 1
⍝ == output 1
square←{k←(⍳⍵)-⌈⍵÷2 ⋄ k⊖k⌽⍵ ⍵⍴⍳⍵×⍵}
⎕←square 3
sums←{(+/⍵),(+⌿⍵),(+/1 1⍉⍵),+/1 1⍉⌽⍵}
magic←{1=≢∪sums ⍵}
⎕←sums square 3
⎕←{magic square ⍵}¨3 5 7
⎕←magic square n
⎕←⊃sums square n
⎕←magic 3 3⍴⍳9
⎕←magic 4 4⍴16 3 2 13 5 10 11 8 9 6 7 12 4 15 14 1
⎕←(⍳n×n)≡{⍵[⍋⍵]},square n
