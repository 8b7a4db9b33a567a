⍝ == input x double: ¯8
⍝ == error 3:1 DOMAIN ERROR: * has no real result
x*÷3
