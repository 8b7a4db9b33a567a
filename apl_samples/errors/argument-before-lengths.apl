⍝ The arguments of + are computed before their lengths are compared.
⍝ == input v double 3: 0 1 2
⍝ == input w double 2: 2 0
⍝ == xfail the C compares the lengths first
⍝ == error 6:3 DOMAIN ERROR: ÷ divides by zero
v+÷w
