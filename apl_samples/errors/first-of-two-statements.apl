⍝ == input v double 2: 1 0
⍝ == output 3
⍝ == error 5:6 DOMAIN ERROR: ÷ divides by zero
⎕←3
x←⌈/ ÷v
y←⍟v
