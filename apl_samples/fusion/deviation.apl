⍝ == input v double 4: 1 2 3 6
⍝ == output 3
⍝ == structure {loops 2, simd 2, allocs 0, modulo 0, branches 0}
⌈/|v-(+/÷≢)v
