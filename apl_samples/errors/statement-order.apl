⍝ Of two statements that would fail the first one does.
⍝ == input v double 3: 0 1 2
⍝ == input w double 2: 2 1
⍝ == xfail x is computed where it is used, behind the statement y
⍝ == error 6:3 DOMAIN ERROR: ÷ divides by zero
x←÷v
y←v+w
x
