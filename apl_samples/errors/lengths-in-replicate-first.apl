⍝ == input n int 3: 1 0 1
⍝ == input m int 2 2: 1 2 3 4
⍝ == error 4:1 LENGTH ERROR: ⌿
n⌿m
