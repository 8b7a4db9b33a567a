⍝ == input v double 6: 1 2 6 4 2 9
⍝ == output 10
⍝ == structure {loops 1, simd 1, allocs 0, modulo 0, branches 0}
+/2↓¯2↓v
