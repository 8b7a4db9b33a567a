⍝ == error 2:3 UNSUPPORTED: ⍷ of complex numbers
a←1J2⍷1J2 3
