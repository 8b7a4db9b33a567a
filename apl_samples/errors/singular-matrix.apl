⍝ The second row is twice the first; two equal columns do not tell least squares which of them to take.
⍝ == case regular
⍝ == input m double 2 2: 2 0 0 4
⍝ == output 0.5 0
⍝ == output 0   0.25
⍝ == case singular
⍝ == input m double 2 2: 1 2 2 4
⍝ == error 15:1 DOMAIN ERROR: ⌹
⍝ == case zero
⍝ == input m double 2 2: 0 0 0 0
⍝ == error 15:1 DOMAIN ERROR: ⌹
⍝ == case dependent columns
⍝ == input m double 3 2: 1 1 1 1 1 1
⍝ == error 15:1 DOMAIN ERROR: ⌹
⌹m
