⍝ Infinity comes from outside; what is divided by zero is an error all the same.
⍝ == input x double: inf
⍝ == error 4:1 DOMAIN ERROR: ÷
x÷0
