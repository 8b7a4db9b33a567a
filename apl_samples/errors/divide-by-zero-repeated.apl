⍝ The number is computed also where it is repeated no times.
⍝ == input k int: 0
⍝ == error 4:3 DOMAIN ERROR: ÷ divides by zero
k⍴÷k
