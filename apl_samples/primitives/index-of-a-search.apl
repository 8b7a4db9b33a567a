⍝ The place that a search finds is an index.
⍝ == input v int 4: 3 9 2 7
⍝ == output 18
⍝ == output 12 18 11 16
⍝ == output 11
⍝ == output 10 7 30 40
⍝ == output 4
⍝ == output 18
t←2×v
⎕←t[t⍳⌈/t]
m←v∘.+v
⎕←m[v⍳⌈/v;]
⎕←m[v⍳⌈/v;v⍳⌊/v]
p←10×⍳≢v
p[v⍳⌈/v]←7
⎕←p
⎕←(⍳≢v)[+/v>0]
⎕←(t⍳⌈/t)⊃t
