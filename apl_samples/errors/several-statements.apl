⍝ One error for each statement; what only follows from another one is not reported: w needs y.
⍝ == error 5:3 LENGTH ERROR: + needs equal lengths
⍝ == error 6:3 DOMAIN ERROR: × needs numbers
⍝ == error 8:1 VALUE ERROR: z is not defined
y←1 2+1 2 3
x←'a'×2
w←y+1
z
