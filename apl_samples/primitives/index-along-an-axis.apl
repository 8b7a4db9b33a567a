⍝ i⌷[k]a indexes axis k and takes the others whole: a column, a row, and two columns in another order.
⍝ == input k int: 2
⍝ == output 2 5
⍝ == output 4 5 6
⍝ == output 3 1
⍝ == output 6 4
m←2 3⍴⍳6
⎕←2⌷[2]m
⎕←k⌷[1]m
⎕←3 1⌷[2]m
