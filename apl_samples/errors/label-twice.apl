⍝ A label names one line.
⍝ == error 7:1 SYNTAX ERROR: there are two labels NEXT in this function
∇ r←f n
NEXT:r←n
→(r>9)/0
n←n×2
NEXT:n←n+1
→NEXT
∇
f 3
