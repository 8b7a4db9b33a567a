⍝ The types are known before the program runs, so all mistakes are reported together, each at the argument at fault.
⍝ == error 18:4 DOMAIN ERROR: !
⍝ == error 19:5 DOMAIN ERROR: !
⍝ == error 20:4 DOMAIN ERROR: ○
⍝ == error 21:5 DOMAIN ERROR: ○
⍝ == error 22:3 DOMAIN ERROR: ○
⍝ == error 23:4 DOMAIN ERROR: ?
⍝ == error 24:3 DOMAIN ERROR: ?
⍝ == error 25:3 DOMAIN ERROR: <
⍝ == error 26:3 DOMAIN ERROR: ∧
⍝ == error 27:3 DOMAIN ERROR: ∨
⍝ == error 28:5 DOMAIN ERROR: ⊥
⍝ == error 29:3 DOMAIN ERROR: ⊤
⍝ == error 30:4 DOMAIN ERROR: ⌹
⍝ == error 31:7 DOMAIN ERROR: ⌹
⍝ == error 32:4 DOMAIN ERROR: ⍸
⍝ == error 33:7 DOMAIN ERROR: ⍕
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
