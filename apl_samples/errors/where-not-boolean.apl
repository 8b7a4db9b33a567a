⍝ == case negative
⍝ == input v double 3: 0 1 ¯1
⍝ == error 10:1 DOMAIN ERROR: ⍸
⍝ == case not whole
⍝ == input v double 3: 0 1 0.5
⍝ == error 10:2 DOMAIN ERROR: ⍸
⍝ == case boolean
⍝ == input v double 3: 0 1 1
⍝ == output 2 3
⍸v
