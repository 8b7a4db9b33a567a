⍝ The right argument of + is computed first, so it is the division that fails, not the logarithm.
⍝ == input v double 2: 0 1
⍝ == input w double 2: 2 0
⍝ == xfail the left argument is computed first
⍝ == error 6:6 DOMAIN ERROR: ÷ divides by zero
(⍟w)+÷v
