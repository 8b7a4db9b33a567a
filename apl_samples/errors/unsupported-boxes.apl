⍝ Cutting, splitting and mixing need arrays of arrays.
⍝ == error 6:3 UNSUPPORTED: dyadic ⊂
⍝ == error 7:3 UNSUPPORTED: dyadic ⊆
⍝ == error 8:3 UNSUPPORTED: monadic ↑
⍝ == error 9:3 UNSUPPORTED: monadic ↓
a←1 0 1⊂1 2 3
a←1 1 2⊆1 2 3
a←↑1 2 3
a←↓2 3⍴⍳6
