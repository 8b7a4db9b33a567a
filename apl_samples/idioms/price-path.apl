⍝ A price along its growth: the running sum is one loop, which waits for itself, but the exponentials of a block of
⍝ it are computed in lanes.
⍝ == input v double 600: arange
⍝ == output 100 138.5969646 138.9522274 603.1525718
⍝ == structure {allocs 1, loops 3}
p←⌷100×*+\0.00001×v
⎕←p[1 256 257 600]
