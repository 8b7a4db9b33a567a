⍝ Sums of columns run along the rows of memory, eight at a time: nine rows are eight and the rest. Two,
⍝ three and four columns have a loop each, with as many sums; a few more have lanes across the borders of rows.
⍝ == input m int 9 3: arange
⍝ == output 108 117 126
⍝ == structure {loops 14, simd 8, allocs 1, modulo 0, branches 0}
+⌿m
