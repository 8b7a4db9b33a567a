⍝ The polynomial 1+2x+3x² by powers, by Horner's rule as a reduction, and as a matrix product.
⍝ == input x double 3: ¯1 0 2
⍝ == output 17
⍝ == output 17
⍝ == output 2 1 17
⍝ == output 2 1 17
⍝ == output 2 6
⍝ == output 2023
c ← 1 2 3
⎕←+/c×2*0 1 2
⎕←{⍺+2×⍵}/c
⎕←(x∘.*¯1+⍳3)+.×c
⎕←{at←⍵ ⋄ {⍺+at×⍵}/c}¨x
⎕←1↓c×0 1 2            ⍝ the derivative, 2+6x
⎕←{⍺+10×⍵}/⌽2 0 2 3    ⍝ digits
