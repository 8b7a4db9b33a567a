⍝ Every row divided by its sum. ⍉(⌽⍴m)⍴s repeats a column s to the shape of m.
⍝ == input m double 2 2: 1 3 2 2
⍝ == output 0.25 0.75
⍝ == output 0.5  0.5
⍝ == output 0.25 0.75
⍝ == output 0.5  0.5
⍝ == output 1 1
⍝ == output 0.2 0.5 0.3
⍝ == output 0.2 0.2 0.6
normalise ← {⍵÷⍉(⌽⍴⍵)⍴+/⍵}
⎕←normalise 2 2⍴1 3 2 2
⎕←normalise m
⎕←+/normalise m
⎕←normalise 2 3⍴2 5 3 1 1 3
