⍝ The ceiling is an integer of 64 bits.
⍝ == case the smallest
⍝ == input x double: ¯9223372036854775808
⍝ == output ¯9223372036854775808
⍝ == case too large
⍝ == input x double: 1E19
⍝ == error 8:1 DOMAIN ERROR: ⌈
⌈x
