⍝ Four rows at a time and the rest one by one; nothing but the sums is stored. Rows of a few elements take no vectors,
⍝ but one element of each row after the other; those of two, three and four elements have a loop each.
⍝ == input m double 2 3: arange
⍝ == output 6 24
⍝ == structure {loops 11, simd 2, allocs 1, modulo 0, branches 0}
+/2×m
