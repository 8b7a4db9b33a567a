⍝ Only the diagonal is visited.
⍝ == input m double 3 3: arange
⍝ == output 24
⍝ == structure {loops 1, simd 1, allocs 0, modulo 0, branches 0}
+/2×1 1⍉m
