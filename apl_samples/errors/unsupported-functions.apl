⍝ == error 3:3 UNSUPPORTED: ⍳ of <int>2
⍝ == error 4:3 UNSUPPORTED: ⍷ of complex numbers
a←⍳2 3
a←1J2⍷1J2 3
