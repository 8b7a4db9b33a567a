⍝ == error 2:16 UNSUPPORTED: ∇∇
op←{⍵>9:⍵ ⋄ ⍺⍺ ∇∇ ⍺⍺ ⍵}
2∘+op 1
