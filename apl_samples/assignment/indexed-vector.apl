⍝ x[i]←y with one index, several, none, and an expression as index; a scalar goes to all of them.
⍝ == input v int 6: 3 1 4 1 5 9
⍝ == input k int: 2
⍝ == output 10 7 30 40 50
⍝ == output 0 7 30 40 0
⍝ == output 0 2 1 40 0
⍝ == output 0 2 8 9 0
⍝ == output 0 2 8 9 0
⍝ == output 0 2 8 9 5
⍝ == output 3 1 4 2 5 6
⍝ == output 3 3 4 2 5 6
⍝ == output 0 0 0 0 0 0
⍝ == output a-c
x←10 20 30 40 50
x[2]←7
⎕←x
x[1 5]←0
⎕←x
x[3 2]←1 2
⎕←x
x[k+⍳2]←8 9
⎕←x
x[⍬]←99
⎕←x
x[≢x]←5
⎕←x
y←v
y[⍋y]←⍳6
⎕←y
y[k]←y[1]
⎕←y
y[]←0
⎕←y
z←3⍴'abc'
z[2]←'-'
⎕←z
