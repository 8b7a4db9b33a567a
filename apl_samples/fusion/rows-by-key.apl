⍝ Rows of a matrix, chosen by a product with truth values that tell keys: where all weights are finite nothing is
⍝ multiplied, and the truth values are not written; else 0×w is NaN.
⍝ == input k int 5: 3 1 7 2 3
⍝ == input w double 3 2: 0.5 2 0.25 1 4 8
⍝ == output 4    8
⍝ == output 0.5  2
⍝ == output 0    0
⍝ == output 0.25 1
⍝ == output 4    8
⍝ == structure {allocs 2}
(k∘.=⍳3)+.×w
