⍝ == error 2:3 DOMAIN ERROR: * has no real result
2+0*¯1
