⍝ 0×1 1×2 2×3 3×0: where the parts meet the loop is cut, not the body.
⍝ == input v double 3: 1 2 3
⍝ == output 8
⍝ == structure {loops 1, simd 1, allocs 0, modulo 0, branches 0}
+/(0,v)×v,0
