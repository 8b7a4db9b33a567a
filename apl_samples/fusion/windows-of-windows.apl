⍝ The greatest of each twenty neighbours, and how far the least is below it. Two windows of sixteen cover one of twenty, and each of
⍝ them is two of eight.
⍝ == input v double 22: 1 2 3 4 5 6 7 8 9 10 11 10 9 8 7 6 5 4 3 2 20 0
⍝ == output 11 20 20
⍝ == output 10 18 20
⍝ == structure {modulo 0}
⎕←20⌈/v
⎕←(20⌈/v)-20⌊/v
