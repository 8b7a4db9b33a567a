⍝ Elements of a matrix at the places of ⍸: a place that ⊤ took apart into row and column is put together again, so
⍝ that the assignment is one loop, without quotients and without places in memory.
⍝ == input m double 3 4: 1 7 3 9 2 8 0 6 5 5.5 4 10
⍝ == output 1 0 3 0
⍝ == output 2 0 0 0
⍝ == output 5 0 4 0
⍝ == structure {loops 1, allocs 1, modulo 0, branches 0}
r←m
r[⍸m>5]←0
⎕←r
