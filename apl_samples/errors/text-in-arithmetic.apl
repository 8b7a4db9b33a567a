⍝ == error 2:3 DOMAIN ERROR: + needs numbers, got characters
1+'ab'
