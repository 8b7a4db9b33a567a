⍝ Cells along two axes, each with an array of its own that is too short for lanes: those of a row are computed side by
⍝ side (Note [Strips]), sixteen at a time and the rest one by one.
⍝ == input n int: 3
⍝ == output 7 37
⍝ == output 1928 2072 2165
⍝ == structure {simd 5}
smooth←{d←⍵-⍵[2;2] ⋄ w←*-0.5×d×d ⋄ (+/,w×⍵)÷+/,w}
m←7 37⍴1+5|⍳259×n÷3
s←smooth⌺3 3⊢m
⎕←⍴s
⎕←⌊100×+⌿s[;1 16 37]
