⍝ How many steps the points of a grid need to leave the circle of radius 2, at most ⍺: ⍵ by ⍵ points from ¯2 to 0.5 and from
⍝ ¯1.25 to 1.25. counts takes the whole grid through each step and leaves alone what is outside; escapes follows one point
⍝ after the other; orbits does so in complex numbers. The table was counted in Python.
⍝ == output  1  1  2  2  2  3  3  3  2  2
⍝ == output  1  1  2  3  3  3  4  6 20  4
⍝ == output  1  2  3  3  3  4  6 20 20  5
⍝ == output  1  3  3  4  5  6 20 20 20 20
⍝ == output  1  4  5  9 20 13 20 20 20 20
⍝ == output 20 20 20 20 20 20 20 20 20 20
⍝ == output  1  4  5  9 20 13 20 20 20 20
⍝ == output  1  3  3  4  5  6 20 20 20 20
⍝ == output  1  2  3  3  3  4  6 20 20  5
⍝ == output  1  1  2  3  3  3  4  6 20  4
⍝ == output 1
⍝ == output 1
⍝ == structure {allocs 0, modulo 0, branches 0}
⎕CT ← 0
real      ← {¯2+(2.5×¯1+⍳⍵)÷⍵}
imaginary ← {¯1.25+(2.5×¯1+⍳⍵)÷⍵}
counts ← {
    re ← (⍵ ⍵)⍴real ⍵
    im ← ⍉(⍵ ⍵)⍴imaginary ⍵
    step ← {
        (x y k) ← ⍵
        in ← 4≥(x×x)+y×y
        xn ← re+(x×x)-y×y
        yn ← im+2×x×y
        ((x×~in)+xn×in)((y×~in)+yn×in)(k+in)
    }
    origin ← (⍴re)⍴0.0
    none   ← (⍴re)⍴0
    3⊃(step⍣⍺)origin origin none
}
escapes ← {
    depth ← ⍺
    escape ← {
        im ← ⍺ ⋄ re ← ⍵
        follow ← {
            (k x y) ← ⍵
            (k≥depth)∨4<(x×x)+y×y: k
            ∇(k+1)(re+(x×x)-y×y)(im+2×x×y)
        }
        k ← 0 ⋄ x ← 0.0 ⋄ y ← 0.0
        follow k x y
    }
    (imaginary ⍵)∘.escape real ⍵
}
orbits ← {
    depth ← ⍺
    {c←⍵ ⋄ 0{(⍺≥depth)∨4<9○⍵×+⍵:⍺ ⋄ (⍺+1)∇ c+⍵×⍵}0J0}¨(0J1×imaginary ⍵)∘.+real ⍵
}
⎕←20 counts 10
⎕←(20 counts 10)≡20 escapes 10
⎕←(20 counts 10)≡20 orbits 10
