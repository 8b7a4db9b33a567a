⍝ == input n double 2: 1 1.5
⍝ == error 3:1 DOMAIN ERROR: /
n/5 6
