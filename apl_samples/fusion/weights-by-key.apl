⍝ Sums of weights by key, in one walk over the keys; where a weight is infinite, the keys are compared, as 0×w is NaN then.
⍝ == input w double 6: 0.5 2 0.25 1 4 8
⍝ == input v int 6: 5 0 9 0 5 10
⍝ == output 3 0 0 0 0 4.5 0 0 0 0.25
⍝ == structure {loops 16, allocs 1}
w+.×v∘.=¯1+⍳10
