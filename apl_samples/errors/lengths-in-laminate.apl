⍝ == input v int 3: 1 2 3
⍝ == case equal
⍝ == input w int 3: 4 5 6
⍝ == output 1 4
⍝ == output 2 5
⍝ == output 3 6
⍝ == case one less
⍝ == input w int 2: 4 5
⍝ == error 10:1 LENGTH ERROR: ,
v,[1.5]w
