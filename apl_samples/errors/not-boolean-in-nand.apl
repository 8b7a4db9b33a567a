⍝ == input v int 3: 0 1 2
⍝ == error 3:1 DOMAIN ERROR: ⍲
1⍲v
