⍝ The error stands at the division, however much is fused around it.
⍝ == case no zero
⍝ == input v double 4: 1 2 4 5
⍝ == output 3
⍝ == case a zero
⍝ == input v double 4: 1 2 3 4
⍝ == error 8:5 DOMAIN ERROR: ÷ divides by zero
+/|⌊2÷2×3-v
