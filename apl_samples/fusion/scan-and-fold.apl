⍝ Running values only their own loop reads are not in memory; four at a time. The divisor is 0 once.
⍝ == input p double 4: -1 0 5 2
⍝ == output 0.6
⍝ == structure {loops 2, allocs 0}
⎕←⌈/1-p÷⌈\p
