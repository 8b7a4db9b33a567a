⍝ The last axis stays the last, so rows are copied as they are: no squares.
⍝ == input a int 2 2 2: arange
⍝ == output 0 1
⍝ == output 4 5
⍝ == output
⍝ == output 2 3
⍝ == output 6 7
⍝ == structure {loops 3, allocs 1, modulo 0, branches 0}
2 1 3⍉a
