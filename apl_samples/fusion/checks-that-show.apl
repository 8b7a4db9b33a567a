⍝ Where a number is divided by zero, or has no logarithm or root, the result would not be finite. So a loop asks only
⍝ whether it is, and runs again with the three checks where it is not: for the error, or for 0÷0, which is 1.
⍝ == structure {loops 4, simd 4, allocs 1, branches 0}
⍝ == input w double 3: 3 16 3
⍝ == case finite
⍝ == input v double 3: 3 8 3
⍝ == output 0 2.079441542 0
⍝ == case zero by zero
⍝ == input v double 3: 0 8 3
⍝ == input w double 3: 0 16 3
⍝ == output 0 2.079441542 0
⍝ == case divided by zero
⍝ == input v double 3: 3 8 0
⍝ == error 22:3 DOMAIN ERROR: ÷ divides by zero
⍝ == case no logarithm
⍝ == input v double 3: 3 ¯8 3
⍝ == error 22:2 DOMAIN ERROR: ⍟ needs a number above zero, or a complex one
⍝ == case no root
⍝ == input v double 3: 3 ¯8 3
⍝ == input w double 3: 3 ¯8 3
⍝ == error 22:8 DOMAIN ERROR: * has no real result: of complex numbers, 0J0+x, it may have one
(⍟w÷v)×(1+v)*0.5
