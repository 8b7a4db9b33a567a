⍝ ∘.f with many functions. The table of binomials ⍺!⍵ is Pascal's triangle on its side.
⍝ == input v int 3: 1 2 3
⍝ == input x double 2: 0.5 2
⍝ == output 1 2 3
⍝ == output 2 2 3
⍝ == output 3 3 3
⍝ == output 1 1 1
⍝ == output 1 2 4
⍝ == output 1 3 9
⍝ == output 0 0 0
⍝ == output 1 0 1
⍝ == output 1 2 0
⍝ == output 1 1 1
⍝ == output 0 1 1
⍝ == output 0 0 1
⍝ == output 1 1 1 1
⍝ == output 0 1 2 3
⍝ == output 0 0 1 3
⍝ == output 0 0 0 1
⍝ == output 2 0.5
⍝ == output 4 1
⍝ == output 6 1.5
⍝ == output ¯0.5 ¯1.5 ¯2.5
⍝ == output  1    0   ¯1
⍝ == output 1 1
⍝ == output 2 2
⍝ == output 3 1
⍝ == output 6  4
⍝ == output 6  4
⍝ == output 6 12
⍝ == output 0 0 0
⍝ == output 1 1 0
⍝ == output 1 1 0
⍝ == output 1 0 1
⍝ == output 0 1 0
⍝ == output 1 0
⍝ == output 4 3
⍝ == output 9 8
⍝ == output ¯1 1
⍝ == output ¯2 2
⍝ == output ¯3 3
⍝ == output  0  1 2
⍝ == output ¯1  0 1
⍝ == output ¯2 ¯1 0
⎕←v∘.⌈v
⎕←v∘.*0 1 2
⎕←1 2 3∘.|v
⎕←∘.≤⍨v
⎕←∘.!⍨0 1 2 3
⎕←v∘.÷x
⎕←x∘.-v
⎕←v∘.∨6 4
⎕←v∘.∧6 4
⎕←(v>1)∘.∧v<3
⎕←'ab'∘.≠'bab'
⎕←v∘.(+×-)0 1
⎕←v∘.{⍵:⍺ ⋄ -⍺}0 1
⎕←v∘.(-⍨)v
