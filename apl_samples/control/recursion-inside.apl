⍝ ∇ in an inner definition is the inner one; recursion in an operand, in each, and through an outer name.
⍝ == input v int 4: 3 5 0 7
⍝ == output 14
⍝ == output 6 120 1 5040
⍝ == output 20
⍝ == output 5
⍝ == output 1 1
⍝ == output 1 5
⍝ == output 2 5
⍝ == output 1 1
⍝ == output 35
⍝ == output 162
⎕←{⍵+{⍵≤0:0 ⋄ ⍵+∇ ⍵-1}⍵}4
⎕←{⍵≤1:1 ⋄ ⍵×∇ ⍵-1}¨v
fib←{⍵<2:⍵ ⋄ (∇ ⍵-1)+∇ ⍵-2}
⎕←+/fib¨v
⎕←fib⍣2⊢5
⎕←v∘.{⍵=0:⍺ ⋄ ⍵ ∇ ⍵|⍺}2 5
tri←{⍵=0:0 ⋄ ⍵+∇ ⍵-1}
tet←{⍵=0:0 ⋄ (tri ⍵)+∇ ⍵-1}
⎕←tet 5
⎕←{⍵≥100:⍵ ⋄ ∇ 3×⍵}/0 2
