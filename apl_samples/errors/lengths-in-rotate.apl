⍝ There is an amount for each row.
⍝ == input m int 2 3: 1 2 3 4 5 6
⍝ == case for each
⍝ == input r int 2: 1 0
⍝ == output 2 3 1
⍝ == output 4 5 6
⍝ == case one more
⍝ == input r int 3: 1 0 1
⍝ == error 10:1 LENGTH ERROR: ⌽
r⌽m
