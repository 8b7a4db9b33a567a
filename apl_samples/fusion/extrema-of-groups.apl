⍝ First, highest, lowest and last prices of groups: in memory are the place of each price's key, four columns and the table of
⍝ them, besides what finds the keys. One loop goes over the prices, where groups were sorted and gathered before.
⍝ == structure {allocs 7}
⍝ == input k int 6: 3 1 3 2 1 3
⍝ == input v double 6: 1 2 3 4 5 6.5
⍝ == output 1 6.5 1 6.5
⍝ == output 2 5   2 5  
⍝ == output 4 4   4 4  
k{(⊃⍵),(⌈/⍵),(⌊/⍵),⊃⌽⍵}⌸v
