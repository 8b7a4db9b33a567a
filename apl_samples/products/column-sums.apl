⍝ Sums of columns run along the rows of memory, eight at a time: nine rows are eight and the rest.
⍝ == input m int 9 3: arange
⍝ == output 108 117 126
⍝ == structure {loops 5, simd 2, allocs 1, modulo 0, branches 0}
+⌿m
