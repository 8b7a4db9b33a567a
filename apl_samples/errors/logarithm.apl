⍝ == input v double 2: 1 0
⍝ == error 3:3 DOMAIN ERROR: ⍟ needs a number above zero, or a complex one
+/⍟v
