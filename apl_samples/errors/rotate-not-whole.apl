⍝ == input d double: 1.5
⍝ == error 3:1 DOMAIN ERROR: ⌽ needs whole numbers
d⌽1 2 3
