⍝ Running values only their own loop reads are not in memory; in lanes where none changes, else four at a time.
⍝ The divisor is 0 once.
⍝ == input p double 4: -1 0 5 2
⍝ == output 0.6
⍝ == structure {loops 5, allocs 0}
⎕←⌈/1-p÷⌈\p
