⍝ == input n double: 1.5
⍝ == error 3:1 DOMAIN ERROR: ⍴
n⍴5
