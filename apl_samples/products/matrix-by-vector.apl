⍝ Four sums side by side in one loop over the row, then the rest one by one; and again for a single element. Rows of a few
⍝ elements are summed across the rows; those of two, three and four have a loop each.
⍝ == input m double 5 3: arange
⍝ == input v double 3: 1 0 ¯1
⍝ == output ¯2 ¯2 ¯2 ¯2 ¯2
⍝ == structure {loops 16, simd 6, allocs 1, modulo 0, branches 0}
m+.×v
