⍝ Distances between all pairs of points in space: row i is at i steps of √27 from the first. Points are laid out
⍝ in a panel, along whose lanes the squares of the three differences are added up.
⍝ == input p double 40 3: arange
⍝ == output 5.196152423
⍝ == output 202.6499445
⍝ == structure {allocs 3}
d←⌷(+/(p(-⍤1⍤1 2)p)*2)*0.5
⎕←d[1;2]
⎕←d[40;1]
