⍝ == input v double 3: 0 1 2
⍝ == error 3:4 DOMAIN ERROR: ÷ divides by zero
+/⍴÷v
