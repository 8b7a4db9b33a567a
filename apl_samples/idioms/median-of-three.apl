⍝ The median of each three neighbours. What is left of a vector by one at each end is as long as what is left by two
⍝ at one end, for every length: no lengths are compared, and a check remains for memory alone.
⍝ == structure {loops 1, allocs 1, checks 1, branches 0}
⍝ == case several
⍝ == input v double 7: 3 1 4 1 5 9 2
⍝ == output 3 1 4 5 5
⍝ == case too short
⍝ == input v double 1: 3
⍝ == output
⍝ == case long enough for one
⍝ == input v double 3: 7 5 6
⍝ == output 6
first  ← ¯2↓v
second ← 1↓¯1↓v
third  ← 2↓v
⎕←(first⌊second)⌈third⌊first⌈second
