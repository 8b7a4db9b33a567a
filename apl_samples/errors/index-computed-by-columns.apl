⍝ Subscripts that are sums of columns are added up row by row, where they will be kept. Those sums are no subscripts yet:
⍝ taken for ones, they were not checked, and foreign memory was read.
⍝ == case inside
⍝ == input m int 3 6: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
⍝ == input a int 4 2: 1 2 3 4 5 6 7 8
⍝ == output 5 5 5 5 5 5
⍝ == output 0 0 0 0 0 0
⍝ == case outside
⍝ == input m int 3 6: 1 1 1 1 1 1 1 1 1 1 1 90 1 1 1 1 1 1
⍝ == input a int 4 2: 1 2 3 4 5 6 7 8
⍝ == error 16:4 INDEX ERROR: a has no element 92 on axis 1, the extent is 4
⍝ == case outside, though nothing is selected
⍝ == input m int 1 6: 1 1 1 1 1 1
⍝ == input a int 0 2:
⍝ == error 16:4 INDEX ERROR: a has no element 1 on axis 1, the extent is 0
⎕←(a[+⌿m;1 2])[;1]
⎕←{x←a ⋄ x[+⌿m;1 2]←0 ⋄ x[+⌿m;2]}0
