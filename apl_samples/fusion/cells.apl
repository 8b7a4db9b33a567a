⍝ A function of rows that needs no memory is computed where its result is used.
⍝ == input m double 2 3: 1 2 3 4 5 6
⍝ == output 6
⍝ == structure {allocs 0, modulo 0}
⌈/,{⍵+(⌈/⍵)-⌈/⌽⍵}⍤1⊢m
