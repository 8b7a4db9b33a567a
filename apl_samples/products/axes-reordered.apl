⍝ The first axis becomes the last: squares of these two axes, inside a loop over the third.
⍝ == input a int 2 2 3: arange
⍝ == output 0  6
⍝ == output 1  7
⍝ == output 2  8
⍝ == output
⍝ == output 3  9
⍝ == output 4 10
⍝ == output 5 11
⍝ == structure {loops 5, allocs 1, modulo 0, branches 0}
3 1 2⍉a
