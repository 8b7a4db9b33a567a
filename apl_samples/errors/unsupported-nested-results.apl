⍝ Indices of more than one axis are vectors, and a result of them is an array of arrays.
⍝ == error 6:3 UNSUPPORTED: ⍳
⍝ == error 7:3 UNSUPPORTED: ⍸
⍝ == error 8:3 UNSUPPORTED: ⍸
⍝ == error 9:3 UNSUPPORTED: where a scalar is needed
a←⍳2 3
a←⍸2 2⍴1 0 0 1
a←⍸1
a←,/2 2⍴⍳4
