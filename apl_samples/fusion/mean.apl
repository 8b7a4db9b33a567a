⍝ == input v double 4: 1 2 3 6
⍝ == output 3
⍝ == structure {loops 1, simd 1, allocs 0, modulo 0, branches 0}
(+/÷≢)v
