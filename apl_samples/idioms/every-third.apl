⍝ A mask of zeros and ones that is written once and stands again and again.
⍝ == input v double 8: 1 2 3 4 5 6 7 8
⍝ == output 1 4 7
⍝ == output 2 3 5 6 8
⍝ == output 3 6
⎕←((⍴v)⍴1 0 0)/v
⎕←(~(⍴v)⍴1 0 0)/v
⍸(⍴v)⍴0 0 1
