⍝ == input k double: 1.5
⍝ == error 3:1 DOMAIN ERROR: ○
k○0.5
