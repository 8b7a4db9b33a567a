⍝ == error 4:10 UNSUPPORTED: ⌺
⍝ == error 5:1 UNSUPPORTED: ⌺
⍝ == error 6:3 UNSUPPORTED: ⍥
a←{+/,⍵}⌺2⊢1 2 3
{+/,⍵}⌺3⊢2 2⍴⍳4
a←1 2⍥+3
