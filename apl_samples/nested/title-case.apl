⍝ Words whose first letters change case: the table of the letters of large alphabets is made once, and not for each word.
⍝ Letters after a space by an index, too: they are choices, and nothing is gathered.
⍝ == output The Quick Brown Éclair Ωmega
⍝ == output The Quick Brown Éclair Ωmega
⍝ == output TQBÉΩ
⍝ == structure {loops 14, simd 2}
text←'the quick brown éclair ωmega'
⎕←1↓∊{' ',(1 ⎕C 1↑⍵),1↓⍵}¨(text≠' ')⊆text
title←{t←⍵ ⋄ i←⍸' '=¯1↓' ',t ⋄ t[i]←1 ⎕C t[i] ⋄ t}
⎕←title text
⎕←∊{1 ⎕C 1↑⍵}¨(text≠' ')⊆text
