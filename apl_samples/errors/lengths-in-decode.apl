⍝ There are as many radices as digits, or one.
⍝ == input v int 3: 1 0 1
⍝ == case as many
⍝ == input r int 3: 2 2 2
⍝ == output 5
⍝ == case one
⍝ == input r int 1: 2
⍝ == output 5
⍝ == case two
⍝ == input r int 2: 2 2
⍝ == error 12:1 LENGTH ERROR: ⊥
r⊥v
