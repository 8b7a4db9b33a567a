⍝ == input n double 2: 1 0.5
⍝ == error 3:1 DOMAIN ERROR: \
n\5
