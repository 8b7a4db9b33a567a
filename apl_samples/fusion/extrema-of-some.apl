⍝ The greatest of some elements: how many there are, the greatest and the least of them are found in one loop, and
⍝ nothing is kept of them. Where there are none, these are the identities of ⌈ and ⌊.
⍝ == input v double 6: 3.5 9 ¯2 7 8 1
⍝ == output 7
⍝ == output ¯1.797693135E308
⍝ == structure {simd 1, allocs 0}
⎕←(⌈/(v<9)/v)-⌊/(v≥0)/v
⎕←⌈/(v>9)/v
