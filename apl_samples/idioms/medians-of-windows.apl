⍝ Medians of windows and of rows: a few elements in order, of which one is taken.
⍝ == input v double 7: 3 1 4 1 5 inf 2
⍝ == input m int 3 4: 9 2 7 4 1 1 8 3 5 6 0 2
⍝ == output 3 1 4 5 5
⍝ == output 3 1 4 5 5
⍝ == output 0 1 2 0
⍝ == output 1 5 3 2
⍝ == output 0 1 1 0
⍝ == output 9 9 8 8
⍝ == output 9 9 8 8
⍝ == output 6 8 8 8
⍝ == output 5.5 2 3.5
⍝ == output 5 2 7 3
⍝ == output 11 9 9
⍝ == output 2 100 0
⍝ == output 9 3 5
⍝ == output 1 3
⎕←{(⍵[⍋⍵])[2]}⍤1⊢v[(¯1+⍳(≢v)-2)∘.+⍳3]
⎕←{(⍵[⍒⍵])[2]}⍤1⊢v[(¯1+⍳(≢v)-2)∘.+⍳3]
⎕←{(a[⍋a←,⍵])[5]}⌺3 3⊢m
⎕←{a←,⍵ ⋄ g←⍋a ⋄ a[g[9]]-a[g[1]]}⌺3 3⊢m
⎕←{0.5×(⍵[⍋⍵])[2]+(⍵[⍋⍵])[3]}⍤1⊢m
⎕←{2⌷⍵[⍋⍵]}⍤1⍉m
⎕←{(w[⍋w])[3]+g[1]⊣g←⍋w←3↑⍵}⍤1⊢m
⎕←{w←⍵ ⋄ g←⍋w ⋄ w[1]←100 ⋄ w[g[1]]}⍤1⊢m
⎕←{(⍵[⍋⌽⍵])[2]}⍤1⊢m
⎕←(x[⍋x])[2 3]⊣x←m[2;]
