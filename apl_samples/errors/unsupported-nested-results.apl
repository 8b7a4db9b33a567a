⍝ Indices of more than one axis are vectors, and a result of them is an array of arrays.
⍝ == error 4:3 UNSUPPORTED: ⍳
⍝ == error 5:3 UNSUPPORTED: ⍸
a←⍳2 3
a←⍸2 2⍴1 0 0 1
