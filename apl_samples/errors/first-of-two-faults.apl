⍝ APL evaluates right to left: the logarithm of v comes before the division, though the first element to fail does so
⍝ in the division.
⍝ == input v double 2: 2 0
⍝ == input w double 2: 0 1
⍝ == error 6:4 DOMAIN ERROR: ⍟ needs a number above zero, or a complex one
+/(⍟v)÷w
