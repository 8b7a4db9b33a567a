⍝ Derived functions and trains as values, and as operands and arguments of each other.
⍝ == input v double 4: 1 2 4 9
⍝ == input m double 2 2: 1 2 3 4
⍝ == output 16
⍝ == output 4
⍝ == output 1 2 3
⍝ == output 2 4 6
⍝ == output 3 6 9
⍝ == output  7 10
⍝ == output 15 22
⍝ == output 3 1
⍝ == output 4 2
⍝ == output 2 4 8 18
⍝ == output 1 3 7 16
⍝ == output 7
⍝ == output 3 7
⍝ == output 9
⍝ == output 5
⍝ == output 3 7
⍝ == output 54
⍝ == output 4 8 16 36
⍝ == output ¯5
⍝ == output 1 3 7 16
⍝ == output 1  2
⍝ == output 2  3
⍝ == output 4  5
⍝ == output 9 10
sum←+/
avg←sum÷≢
table←∘.×⍨
dot←+.×
turn←⌽∘⍉
double←2∘×
cum←+\
step←{⍵+1}⍣3
rows←+/⍤1
last←⊃⌽
norm←0.5*⍨+/⍤×⍨
⎕←sum v
⎕←avg v
⎕←table 1 2 3
⎕←m dot m
⎕←turn m
⎕←double v
⎕←cum v
⎕←step 4
⎕←rows m
⎕←last v
⎕←norm 3 4
⎕←(sum⍤1)m
⎕←sum cum double v
⎕←(double⍣2)v
⎕←(avg-last)v
plus←+ ⋄ ⎕←plus\v
⎕←v∘.plus 0 1
