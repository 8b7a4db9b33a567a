⍝ The four plain passes over a vector: its sum, its running sums, its largest element, and what of it exceeds ⍺.
⍝ == output 2.25
⍝ == output 0.5 2 1.25 2.25
⍝ == output 1.5
⍝ == output 1.5 1
⍝ == output 0
⍝ == structure {loops 0, allocs 0, modulo 0, branches 0}
total    ← {+/⍵}
running  ← {+\⍵}
largest  ← {⌈/⍵}
exceeds  ← {(⍵>⍺)/⍵}
v ← 0.5 1.5 ¯0.75 1
⎕←total v
⎕←running v
⎕←largest v
⎕←0.5 exceeds v
⎕←≢2 exceeds v
