⍝ A label names its line for good: it is neither assigned nor an argument.
⍝ == error 5:1 SYNTAX ERROR: NEXT is a label, which cannot be assigned
∇ r←f n;NEXT
NEXT:r←n←n×2
NEXT←1
→(r<9)/NEXT
∇
f 3
