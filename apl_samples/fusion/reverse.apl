⍝ == input v double 3: 1 2 3
⍝ == output 10
⍝ == structure {loops 1, simd 1, allocs 0, modulo 0, branches 0}
+/v×⌽v
