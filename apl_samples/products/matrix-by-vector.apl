⍝ Four sums side by side in one loop over their rows, then the rest one by one; in lanes along rows that are not short.
⍝ Rows of two, three and four elements have a loop each.
⍝ == input m double 5 3: arange
⍝ == input v double 3: 1 0 ¯1
⍝ == output ¯2 ¯2 ¯2 ¯2 ¯2
⍝ == structure {loops 13, simd 3, allocs 1, modulo 0, branches 0}
m+.×v
