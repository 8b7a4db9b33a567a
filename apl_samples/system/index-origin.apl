⍝ ⎕IO←0 at the top of a file: indices, axes and places count from 0.
⍝ == input v double 4: 5 3 9 7
⍝ == input m int 2 3: 1 2 3 4 5 6
⍝ == output 0
⍝ == output 0 1 2 3
⍝ == output 5
⍝ == output 5 3
⍝ == output 3 2
⍝ == output 3
⍝ == output 9
⍝ == output 2 1 4
⍝ == output 1 0 3 2
⍝ == output 2 3 0 1
⍝ == output 0 2 3
⍝ == output 1 0 ¯1
⍝ == output 5 7 9
⍝ == output 1 3  6
⍝ == output 4 9 15
⍝ == output 4 5 6
⍝ == output 1 2 3
⍝ == output 1 4
⍝ == output 2 5
⍝ == output 3 6
⍝ == output 1 5
⍝ == output 1 2 3
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 1 3
⍝ == output 2 4
⍝ == output 3 2 1 0
⍝ == output 1 3 10 7
⍝ == output 0 0 0
⍝ == output 1 0 3
⍝ == output 10
⎕IO←0
⎕←⎕IO
⎕←⍳4
⎕←v[0]
⎕←v[⍳2]
⎕←m[0;2 1]
⎕←1⌷v
⎕←2⊃v
⎕←v⍳9 3 1
⎕←⍋v
⎕←⍒v
⎕←⍸v>4
⎕←1 5 9⍸6 1 0
⎕←+/[0]m
⎕←+\[1]m
⎕←⌽[0]m
⎕←1 0⍉m
⎕←0 0⍉m
⎕←1 2,[0]3
⎕←1 2,[¯0.5]3 4
⎕←1 2,[0.5]3 4
⎕←(⌽v)⍳v
w←v
w[0]←1
w[2]+←1
⎕←w
⎕←?1 1 1
⎕←⎕A⍳'BAD'
⎕←+/⍳5
