⍝ Products and sum in one loop; a second one is for a single element on one side.
⍝ == input v double 3: 1 2 3
⍝ == input w double 3: 4 5 6
⍝ == output 32
⍝ == structure {loops 2, simd 2, allocs 0, checks 1, modulo 0, branches 0}
v+.×w
