⍝ Ranks in types: one proof holds for vectors, matrices and arrays of more axes.
⍝ == output 2
⍝ == output 2.5 3.5 4.5
⍝ == output  5 11
⍝ == output 11 25
⍝ == output 3 4
⍝ == output 6 8
⍝ == output 0.5  0.5
⍝ == output 0.25 0.75
⍝: [κ](ρ+1) → [double]ρ
mean ← +⌿÷≢
times ← { ⍝: [κ](ρ1+1) → [κ](ρ2+1) → [κ](ρ1+ρ2)
    ⍺+.×⍵ }
table ← { ⍝: [κ]ρ1 → [κ]ρ2 → [κ](ρ1+ρ2)
    ⍺∘.×⍵ }
share ← { ⍝: [double](ρ+1) → [double](ρ+1)
    ⍵÷⍤1 0⊢+/⍵ }
mean 1 2 3
mean 2 3⍴1 2 3 4 5 6
m ← 2 2⍴1 2 3 4
m times ⍉m
1 2 table 3 4
share 2 2⍴2 2 1 3
