⍝ The first of each run of equal elements, where the runs begin, and how long they are.
⍝ == input v double 8: 1 1 2 2 2 3 1 1
⍝ == output 1 2 3 1
⍝ == output 1 3 6 7
⍝ == output 2 3 1 2
⎕←(1,2≠/v)/v
p←⍸1,2≠/v
⎕←p
(1↓p,1+⍴v)-p
