⍝ == error 3:3 VALUE ERROR: y is not defined
x←1
x+y
