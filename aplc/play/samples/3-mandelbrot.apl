⍝ The Mandelbrot set
⍝ What is said for one point becomes a loop over all of them.
escapes ← {
    u ← ⍵ ⋄ v ← ⍺
    3⊃{(x y n) ← ⍵ ⋄ in ← 4≥(x×x)+y×y ⋄ in:(u+(x×x)-y×y)(v+2×x×y)(n+1) ⋄ x y n}⍣60⊢0 0 0
}
re ← ¯2.2+3.2×(⍳320)÷320
im ← ¯1.2+2.4×(⍳240)÷240
im ∘.escapes re
