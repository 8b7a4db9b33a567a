⍝ As many values as indices, or one.
⍝ == input w int 2: 1 2
⍝ == error 5:1 LENGTH ERROR: 2
x←⍳5
x[1 2 3]←w
