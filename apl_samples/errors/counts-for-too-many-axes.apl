⍝ == error 3:3 LENGTH ERROR: ↑
⍝ == error 4:3 LENGTH ERROR: ↓
a←1 1↑1 2 3
a←1 1↓1 2 3
