⍝ So many positions of a grade are found as are taken, also where only the run knows how many: more than there are, none,
⍝ or from the end; equal elements stay in order.
⍝ == input k int: 3
⍝ == input v int 7: 3 9 1 7 3 7 5
⍝ == output 9 7 7
⍝ == output 2 4 6
⍝ == output 3 1 5 6
⍝ == output 1 3 3
⍝ == output 3 1 5
⍝ == output 7 7 9
⍝ == output 9 7 7 5 3 3 1 0 0
⍝ == output 0
⎕←k↑v[⍒v]
⎕←k↑⍒v
g←⍋v ⋄ ⎕←(k↑g),⊃⌽k↑⍒v
⎕←v[k↑g]
⎕←(⊂k↑⍋v)⌷⍳7
⎕←(-k)↑v[⍋v]
⎕←(3×k)↑v[⍒v]
⎕←≢(k-3)↑v[⍋v]
