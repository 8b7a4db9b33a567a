⍝ == input x double: ¯8
⍝ == error 3:1 DOMAIN ERROR: * has no real result: of complex numbers, 0J0+x, it may have one
x*÷3
