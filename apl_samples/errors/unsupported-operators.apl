⍝ == error 7:3 UNSUPPORTED: ⌸
⍝ == error 8:8 UNSUPPORTED: ⌸
⍝ == error 9:3 UNSUPPORTED: ⌺
⍝ == error 10:3 UNSUPPORTED: @
⍝ == error 11:3 UNSUPPORTED: ⍥
⍝ == error 12:8 UNSUPPORTED: ⍣
a←{⍺,≢⍵}⌸1 2 1
a←'abc'{⍺,≢⍵}⌸1 2 1
a←{+/,⍵}⌺3⊢1 2 3
a←0@2⊢1 2 3
a←1 2⍥+3
a←(2∘+⍣¯1)5
