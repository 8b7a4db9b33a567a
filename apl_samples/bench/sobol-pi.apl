⍝ π by a two-dimensional Sobol sequence: four times the part of the first ⍵ points that lie in the quarter of the circle.
⍝ Point k is the exclusive or of the direction numbers at the bits of k's Gray code. Those of the second dimension belong to
⍝ the polynomial x+1: d is the one before it shifted by one, exclusive or that one.
⍝ == output 0 0.5 0.75 0.25 0.375 0.875 0.625 0.125
⍝ == output 0 0.5 0.25 0.75 0.375 0.875 0.125 0.625
⍝ == output 3.1484375
⍝ == structure {allocs 2, branches 0}
first  ← 1 ⎕INT32SHL 30-⍳30
second ← {⍵,(⊃⌽⍵)⎕INT32XOR(⊃⌽⍵)⎕INT32SHR 1}⍣29⊢,1 ⎕INT32SHL 29
points ← {
    gray ← ⍵ ⎕INT32XOR ⍵ ⎕INT32SHR 1
    set  ← 0≠gray∘.⎕INT32AND 1 ⎕INT32SHL ¯1+⍳30
    (⎕INT32XOR/set×(⍴set)⍴⍺)÷2*30
}
pi ← {
    k ← ¯1+⍳⍵
    x ← first points k
    y ← second points k
    4×(+/1≥(x×x)+y×y)÷⍵
}
⎕←first points ¯1+⍳8
⎕←second points ¯1+⍳8
⎕←pi 1024
