⍝ A count, an amount or an index is a number.
⍝ == error 11:3 DOMAIN ERROR: ⍴
⍝ == error 12:3 DOMAIN ERROR: ↑
⍝ == error 13:3 DOMAIN ERROR: ↓
⍝ == error 14:3 DOMAIN ERROR: ⌽
⍝ == error 15:3 DOMAIN ERROR: /
⍝ == error 16:3 DOMAIN ERROR: \
⍝ == error 17:3 DOMAIN ERROR: ⌷
⍝ == error 18:3 DOMAIN ERROR: ⊃
⍝ == error 19:3 DOMAIN ERROR: ⍕
a←'a'⍴1
a←'a'↑1 2
a←'a'↓1 2
a←'a'⌽1 2
a←'ab'/1 2
a←'ab'\1 2
a←'a'⌷1 2
a←'a'⊃1 2
a←'ab'⍕5
