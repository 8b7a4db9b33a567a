⍝ What was printed before an error stays printed.
⍝ == input v int 2: 1 0
⍝ == output 1
⍝ == output 1 2 3
⍝ == error 8:6 DOMAIN ERROR: ÷ divides by zero
⎕←1
1 2 3
⎕←2+ 3÷v
⎕←4
