⍝ The nine cells around each cell of a torus, by sums of three in a row and then of three rows: the first sums are only
⍝ a few rows at a time in memory, at both ends too. All cells together are counted nine times.
⍝ Then sums of two, and of three rows where zeros stand above the first one and fives below the last one.
⍝ == output 1
⍝ == output 36 36
⍝ == output 24 24
⍝ == output 1640009
⍝ == output 12 16
⍝ == output 13 19
⍝ == output 17 21
around ← {r←⍵+(1⌽⍵)+¯1⌽⍵ ⋄ r+(1⊖r)+¯1⊖r}
board  ← 300 301⍴7|⍳97
sums   ← around board
⎕←(9×+/,board)=+/,sums
⎕←2 2↑sums
below  ← {r←⍵+1⌽⍵ ⋄ r+(0⍪¯1↓r)+(1↓r)⍪5}board
⎕←+/,below
⎕←(2 2↑below)⍪¯1 2↑below
