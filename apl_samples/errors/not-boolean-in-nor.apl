⍝ == input v double 2: 0 0.5
⍝ == error 3:1 DOMAIN ERROR: ⍱
v⍱0
