⍝ Changes in a loop, and of a row by other rows, in place: an array is copied once, before the loop.
⍝ == structure {allocs 3}
⍝ == input n int: 3
⍝ == input v int 4: 1 2 3 4
⍝ == input m double 3 2: arange
⍝ == output 10 5 3 7
⍝ == output 6 8
⍝ == output 2 3
⍝ == output 4 5
⎕←({x←⍵ ⋄ x[1]←x[2]+x[4] ⋄ x[4 2]+←1 ⋄ x}⍣n)v
({x←⍵ ⋄ x[1;]←x[2;]+x[3;] ⋄ x}⍣n)m
