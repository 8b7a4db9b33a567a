⍝ == input v double 6: 1 2 6 4 2 9
⍝ == output 48
⍝ == structure {simd 2, allocs 0, modulo 0, branches 0}
+/¯2↓v+(1⌽v)+2⌽v
