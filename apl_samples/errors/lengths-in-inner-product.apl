⍝ The last axis on the left must be as long as the first on the right.
⍝ == input m double 2 3: 1 2 3 4 5 6
⍝ == input v double 2: 1 2
⍝ == error 5:3 LENGTH ERROR: +.× needs equal lengths, got 3 and 2
x←m+.×v
x
