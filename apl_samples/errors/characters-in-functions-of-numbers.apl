⍝ The types are known before the program runs, so all mistakes are reported together.
⍝ == error 18:3 DOMAIN ERROR: !
⍝ == error 19:3 DOMAIN ERROR: !
⍝ == error 20:3 DOMAIN ERROR: ○
⍝ == error 21:3 DOMAIN ERROR: ○
⍝ == error 22:3 DOMAIN ERROR: ○
⍝ == error 23:3 DOMAIN ERROR: ?
⍝ == error 24:3 DOMAIN ERROR: ?
⍝ == error 25:3 DOMAIN ERROR: <
⍝ == error 26:3 DOMAIN ERROR: ∧
⍝ == error 27:3 DOMAIN ERROR: ∨
⍝ == error 28:3 DOMAIN ERROR: ⊥
⍝ == error 29:3 DOMAIN ERROR: ⊤
⍝ == error 30:3 DOMAIN ERROR: ⌹
⍝ == error 31:3 DOMAIN ERROR: ⌹
⍝ == error 32:3 DOMAIN ERROR: ⍸
⍝ == error 33:3 DOMAIN ERROR: ⍕
a←!'a'
a←2!'a'
a←○'a'
a←1○'ab'
a←'a'○1
a←?'a'
a←'a'?5
a←'a'<'b'
a←'a'∧1
a←'a'∨1 2
a←2⊥'ab'
a←'a'⊤5
a←⌹2 2⍴'a'
a←1 2⌹2 2⍴'a'
a←⍸'ab'
a←6 2⍕'ab'
