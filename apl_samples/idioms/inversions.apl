⍝ How many pairs stand in the wrong order: of each element only those behind it are looked at. The same for
⍝ those in the right order.
⍝ == input v int 6: 3 1 4 1 5 2
⍝ == output 6
⍝ == output 8
⍝ == structure {loops 2, simd 1}
⎕←+/,(v∘.>v)∧(⍳≢v)∘.<⍳≢v
⎕←+/,((⍳≢v)∘.<⍳≢v)∧v∘.<v
