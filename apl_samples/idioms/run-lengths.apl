⍝ Runs of equal elements: their values and lengths. The marks of where runs begin are integers, because of the 1,
⍝ but none is other than 0 or 1: they keep elements, as booleans do, and repeat none.
⍝ == input v int 9: 3 3 3 1 1 4 4 4 4
⍝ == output 3 1 4
⍝ == output 3 2 4
⍝ == structure {allocs 3}
⎕←(1,2≠/v)/v
starts←⍸1,2≠/v
⎕←(1↓starts,1+≢v)-starts
