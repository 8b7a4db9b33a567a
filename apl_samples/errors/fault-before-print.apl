⍝ A statement fails before anything that stands below it is printed.
⍝ == input v double 3: 0 1 2
⍝ == error 4:3 DOMAIN ERROR: ÷ divides by zero
x←÷v
⎕←6
x
