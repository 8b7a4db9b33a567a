⍝ A statement fails before anything that stands below it is printed.
⍝ == input v double 3: 0 1 2
⍝ == xfail the C computes x where it is used, behind the printing
⍝ == error 5:3 DOMAIN ERROR: ÷ divides by zero
x←÷v
⎕←6
x
