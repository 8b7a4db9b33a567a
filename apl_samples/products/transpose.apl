⍝ Memory is crossed in squares: two loops over squares, two inside one.
⍝ == input m int 2 3: arange
⍝ == output 0 3
⍝ == output 1 4
⍝ == output 2 5
⍝ == structure {loops 4, allocs 1, modulo 0, branches 0}
⍉m
