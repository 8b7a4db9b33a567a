⍝ What a function right of @ gives are zeros and ones, no counts.
⍝ == input v int 3: 1 0 2
⍝ == error 4:1 DOMAIN ERROR: the operator @ needs zeros and ones
9@⊢v
