⍝ Types of values, in the line above the statement.
⍝ == output 6
⍝ == output 1 3
⍝: <int>3
v ← 1 2 3
⍝: int
s ← +/v
s
⍝: [int]1
w ← 1 0 1/v
w
