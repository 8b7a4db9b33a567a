⍝ == error 2:3 DOMAIN ERROR: * has no real result: of complex numbers, 0J0+x, it may have one
2+0*¯1
