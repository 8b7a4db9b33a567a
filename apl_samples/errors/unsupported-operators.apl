⍝ == error 5:3 UNSUPPORTED: ⌸
⍝ == error 6:8 UNSUPPORTED: ⌸
⍝ == error 7:3 UNSUPPORTED: ⌺
⍝ == error 8:3 UNSUPPORTED: ⍥
a←{⍺,≢⍵}⌸1 2 1
a←'abc'{⍺,≢⍵}⌸1 2 1
a←{+/,⍵}⌺3⊢1 2 3
a←1 2⍥+3
