⍝ == input v int 0:
⍝ == error 3:1 INDEX ERROR: ⌷
1⌷v
