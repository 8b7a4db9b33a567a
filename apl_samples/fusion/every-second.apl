⍝ Elements at which a mask of a few constants that come again and again holds once each time: these are read where they
⍝ stand, every second or third one, and nothing is counted or packed.
⍝ == input v double 7: 1 2 3 4 5 6 7
⍝ == output 1 3 5 7
⍝ == output 3 6
⍝ == output 2 4 6
⍝ == output 4
⍝ == structure {loops 4, allocs 3}
n←≢v
⎕←(n⍴1 0)/v
⎕←v/⍨n⍴0 0 1
⎕←⍸n⍴0 1
⎕←+/(n⍴0 0 0 1 0)/v
