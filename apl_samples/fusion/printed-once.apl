⍝ What is printed and used again is computed once, although it may fail and must be known before it is printed.
⍝ == input v double 4: 1 2 4 8
⍝ == output 1 0.5 0.25 0.125
⍝ == output 1.875
⍝ == structure {allocs 1}
x←÷v
⎕←x
+/x
