⍝ == input t char 5: 'level'
⍝ == output 1
⍝ == structure {loops 1, allocs 0, modulo 0, branches 0}
t≡⌽t
