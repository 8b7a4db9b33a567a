⍝ Means of groups: in memory are the keys, where they are found first, the place of each value's key, a sum and a count of
⍝ each, and the means. No group is gathered.
⍝ == structure {allocs 5}
⍝ == input k int 6: 3 1 3 2 1 3
⍝ == input v double 6: 1 2 3 4 5 6.5
⍝ == output 3.5 3.5 4
k{(+/⍵)÷≢⍵}⌸v
