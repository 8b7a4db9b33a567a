⍝ An element whose index stands several times in x[i]f←y is changed several times, from left to right. The ten indices are
⍝ those of Dyalog's documentation: a histogram.
⍝ == input v int 6: 3 1 3 3 2 1
⍝ == output 3 3 1 3 0
⍝ == output 2 1 3
⍝ == output 10 3
⍝ == output 7 17
⍝ == output 0 7
⍝ == output 0 0
b←5⍴0
b[2 4 1 2 1 4 2 4 1 3]+←1
⎕←b
h←3⍴0
h[v]+←1
⎕←h
x←1 1
x[1 2 1]×←2 3 5
⎕←x
y←10 20
y[2 2 1]-←1 2 3
⎕←y
m←2 2⍴0
m[1 1;2]+←3 4
⎕←m
