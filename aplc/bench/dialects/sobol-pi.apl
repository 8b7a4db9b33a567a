⍝ π by a Sobol sequence, for interpreters without functions of bits: numbers are columns of bits, the lowest first.
gray ← {
    b ← (30⍴2)⊤⍵
    ⊖b≠0⍪¯1↓b
}
pi ← {
    second ← 2|(¯1+⍳30)∘.!¯1+⍳30
    g ← gray ¯1+⍳⍵
    x ← (2⊥g)÷2*30
    y ← (2⊥second≠.∧g)÷2*30
    4×(+/1≥(x×x)+y×y)÷⍵
}
