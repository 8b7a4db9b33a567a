⍝ A wave knows two states, and writes the new one where the oldest was, of which it asks for one element each: two matrices are
⍝ in memory, no third one for each round, whose border is changed behind it.
⍝ == input m double 4 4: 0 0 0 0 0 4 1 0 0 2 8 0 0 0 0 0
⍝ == output 0    0    0 0
⍝ == output 0 ¯181 ¯653 0
⍝ == output 0 ¯611  ¯12 0
⍝ == output 0    0    0 0
⍝ == structure {allocs 3}
∇ u←n wave u;v;w
v←u
:For _ :In ⍳n
    w←(2×u)-v
    w+←0.2×(1⊖u)+(¯1⊖u)+(1⌽u)+(¯1⌽u)-4×u
    w[1,≢w;]←0
    w[;1,2⊃⍴w]←0
    v←u
    u←w
:EndFor
∇
⎕←⌊0.5+100×5 wave m
