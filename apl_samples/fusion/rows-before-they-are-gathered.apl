⍝ Rows of a few numbers, of which 64 at a time are read as they lie, and then gathered: their largest numbers, whether
⍝ they ascend, polynomials, and what becomes of rows of one number and of none.
⍝ == input v double 7: 3 1 4 1 5 9 2
⍝ == output 882
⍝ == output 0
⍝ == output 32928
⍝ == output 1918
⍝ == output 0
⍝ == output 1 1 1
m ← (14×≢v) (≢v)⍴v
⎕←+/⌈/m
⎕←+/∧/2≤/m
⎕←+/{2⊥⍵}⍤1⊢m
n ← (14×≢v) (⌊0.2×≢v)⍴v
⎕←+/{(⌈/⍵)×2⊥⍵}⍤1⊢n
⎕←+/0<⌈/m[;⍳≢v~v]
⎕←3↑∧/2≥/n
