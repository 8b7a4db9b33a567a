⍝ An integer array that gets a double becomes one of doubles; a boolean array that gets an integer becomes one of
⍝ integers.
⍝ == input v int 3: 1 2 3
⍝ == input d double: 0.5
⍝ == output 1 2.5 3
⍝ == output 0.5 2 3
⍝ == output 1 2 3
⍝ == output 7 1 0
⍝ == output 1 2 3.5
⍝ == output 0.5 1 1.5
⍝ == output 0.25 2 3
⍝ == output 1 0.5 3
⍝ == output 0.5 0.5
⍝ == output 3   4
⍝ == output 3 1.5
x←1 2 3
x[2]←2.5
⎕←x
y←v
y[1]←d
⎕←y
⎕←v
b←1 2 3=2
b[1]←7
⎕←b
z←v
z[3]+←d
⎕←z
w←v
w÷←2
⎕←w
f←{a←⍵ ⋄ a[1]←0.25 ⋄ a}
⎕←f v
⎕←({a←⍵ ⋄ a[2]←a[2]÷2 ⋄ a}⍣2)v
m←2 2⍴⍳4
m[1;]←0.5
⎕←m
u←0.5 1.5
u[1]←3
⎕←u
