⍝ The mean of prices by volumes: one loop reads both, once their lengths are found equal. The two others are for a single price or volume.
⍝ == input p double 4: 10 20 30 40
⍝ == input v double 4: 1 2 3 4
⍝ == case as many of both
⍝ == output 30
⍝ == structure {loops 3, simd 3, allocs 0, modulo 0, branches 0}
⍝ == case a single price
⍝ == input p double 1: 7
⍝ == output 7
⍝ == case a single volume
⍝ == input v double 1: 2
⍝ == output 100
⍝ == case no volume
⍝ == input v double 0:
⍝ == error 16:4 LENGTH ERROR: × needs equal lengths
(+/p×v)÷+/v
