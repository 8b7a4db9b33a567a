⍝ The number is computed also where it is repeated no times.
⍝ == input k int: 0
⍝ == xfail the C computes nothing of ÷k
⍝ == error 5:3 DOMAIN ERROR: ÷ divides by zero
k⍴÷k
