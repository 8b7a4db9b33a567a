⍝ Counting is one loop: it reads an index, checks it, and adds; there is no second loop to report what is wrong.
⍝ == input v int 6: 1 3 1 1 2 3
⍝ == input k int: 3
⍝ == case all right
⍝ == output 3 1 2
⍝ == structure {loops 2, allocs 1}
⍝ == case the first number that is wrong is reported
⍝ == input v int 6: 1 3 4 0 2 9
⍝ == error 14:1 INDEX ERROR: c has no element 4, the length is 3
⍝ == case nothing to count
⍝ == input v int 0:
⍝ == output 0 0 0
c←k⍴0
c[v]+←1
c
