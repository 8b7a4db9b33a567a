⍝ == input d double: 2.5
⍝ == error 3:2 DOMAIN ERROR: ⍳ needs whole numbers
⍳d
