⍝ The least sums of two steps between five towns. They are too few for a panel: rows of the result accumulate in
⍝ tiles of four rows and four steps, with the loop over the columns innermost; the fifth row and the fifth step
⍝ are the rest.
⍝ == input d double 5 5: 0 3 8 99 4 3 0 1 7 99 8 1 0 2 5 99 7 2 0 6 4 99 5 6 0
⍝ == output  0 3 4 10 4
⍝ == output  3 0 1  3 6
⍝ == output  4 1 0  2 5
⍝ == output 10 3 2  0 6
⍝ == output  4 6 5  6 0
⍝ == structure {allocs 3, modulo 0, branches 0}
d⌊.+d
