⍝ == input v int 3: 0 1 2
⍝ == error 3:3 DOMAIN ERROR: ⍲
1⍲v
