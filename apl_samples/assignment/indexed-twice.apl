⍝ Where an index stands twice, the later value stays.
⍝ == output 6 2 3
⍝ == output 6 9 8
⍝ == output 0 4
⍝ == output 0 0
x←1 2 3
x[1 1]←5 6
⎕←x
x[2 3 2]←7 8 9
⎕←x
m←2 2⍴0
m[1 1;2]←3 4
⎕←m
