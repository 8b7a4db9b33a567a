⍝ == input v double 4: 1 2 3 6
⍝ == output 3
⍝ == structure {loops 11, simd 8, allocs 0, modulo 0, branches 1}
⌈/|v-(+/÷≢)v
