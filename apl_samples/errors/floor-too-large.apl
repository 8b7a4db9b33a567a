⍝ The floor is an integer of 64 bits.
⍝ == case it fits
⍝ == input x double: 1E18
⍝ == output 1000000000000000000
⍝ == case it does not
⍝ == input x double: 9223372036854775808
⍝ == error 8:1 DOMAIN ERROR: the result of ⌊ does not fit an integer
⌊x
