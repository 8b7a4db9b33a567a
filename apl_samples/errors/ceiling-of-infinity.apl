⍝ == input x double: inf
⍝ == error 3:1 DOMAIN ERROR: ⌈
⌈x
