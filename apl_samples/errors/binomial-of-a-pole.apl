⍝ Only the dividend is infinite.
⍝ == input a double: 0.5
⍝ == error 4:1 DOMAIN ERROR: !
a!¯1
