⍝ Running values that only their own loop reads are not in memory. The divisor changes in the loop, and is 0 once.
⍝ == input p double 4: -1 0 5 2
⍝ == output 0.6
⍝ == structure {loops 1, allocs 0}
⎕←⌈/1-p÷⌈\p
