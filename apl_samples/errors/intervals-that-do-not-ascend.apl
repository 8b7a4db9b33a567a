⍝ == case ascending
⍝ == input a int 3: 1 2 4
⍝ == output 2
⍝ == case not ascending
⍝ == input a int 3: 1 4 2
⍝ == error 7:1 DOMAIN ERROR: ⍸
a⍸3
