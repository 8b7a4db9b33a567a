⍝ The products of a vector and a table, summed along the rows: nothing of rank 3 is stored. Where there are four
⍝ elements and four rows, sixteen sums side by side share what is read.
⍝ == input v int 2: 2 3
⍝ == input m int 2 3: arange
⍝ == output 6 24
⍝ == output 9 36
⍝ == structure {allocs 1, modulo 0, branches 0}
+/v∘.×m
