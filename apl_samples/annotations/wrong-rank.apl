⍝ A sum along the last axis has one axis less.
⍝ == error 5:5 TYPE ERROR: the annotation claims [int](ρ+1), this is [int]ρ
totals ← { ⍝: [κ](ρ+1) → [κ](ρ+1)
    scaled←2×⍵
    +/scaled
}
