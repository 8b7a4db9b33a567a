⍝ Operators: the types of function operands are claimed too, and checked where the operator is used. Integers are
⍝ converted where a variable must be double on account of the operand or of the other argument.
⍝ == output 4
⍝ == json {"type": "double", "shape": []}
⍝ == output 11
⍝ == json {"type": "int", "shape": []}
⍝ == output 0 0 1
⍝ == json {"type": "bool", "shape": [3]}
⍝ == output 1.5 2.5
⍝ == json {"type": "double", "shape": [2]}
⍝ == output 8 16
⍝ == json {"type": "int", "shape": [2]}
fold ← { ⍝: (κ→κ→κ) → [κ](ρ+1) → [κ]ρ
    ⍺⍺/⍵ }
map ← { ⍝: (κ→κ1) → [κ]ρ → [κ1]ρ
    ⍺⍺ ⍵ }
plus ← { ⍝: κ → [κ]ρ → [κ]ρ
    ⍺⍺+⍵ }
repeat ← { ⍝: (κ→κ) → int → [κ]ρ → [κ]ρ
    (⍺⍺⍣⍵⍵)⍵ }
÷fold 6 3 2
+fold 6 3 2
{⍵>2}map 1 2 3
1 plus 0.5 1.5
({2×⍵} repeat 3) 1 2
