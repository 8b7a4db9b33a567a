⍝ An array that is assigned by index is changed behind no other name.
⍝ == input v int 3: 1 2 3
⍝ == output 1 2 3
⍝ == output 9 2 3
⍝ == output 1 2 3
⍝ == output 1 0 3
⍝ == output 1 0 3
⍝ == output 1 0 3
⍝ == output 3 2 9
⍝ == output 9 2
⍝ == output 0 9
⍝ == output 100 2 0 100 2 0
⍝ == output 5 2 0
⍝ == output 7
⍝ == output 6 6 0
⍝ == output 6 2 0
x←1 2 3
y←x
x[1]←9
⎕←y
⎕←x
a←v
a[2]←0
⎕←v
⎕←a
b←c←a
b[1]←7
⎕←c
⎕←a
r←⌽x
x[3]←0
⎕←r
m←2 2⍴x
x[1]←100
⎕←m
t←x,x
x[1]←5
⎕←t
k←x
k+←1
⎕←x
s←+/x
x[1]←6
⎕←s
i←x
x[i⍳2]←x[i⍳6]
⎕←x
⎕←i
