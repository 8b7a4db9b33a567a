⍝ x[i]f←y changes the elements at i: vectors, and rows, columns and rectangles of matrices.
⍝ == input v double 3: 1 2 3
⍝ == output 10 25 30
⍝ == output 20 25 90
⍝ == output 19 25 89
⍝ == output 1 12
⍝ == output 3  4
⍝ == output ¯1 12
⍝ == output ¯3  4
⍝ == output ¯1 12
⍝ == output ¯2  6
⍝ == output  9 32
⍝ == output 28 46
⍝ == output 1 ¯8 3
⍝ == output 0.25 ¯8 3
x←10 20 30
x[2]+←5
⎕←x
x[1 3]×←2 3
⎕←x
x[1 3]-←1
⎕←x
m←2 2⍴⍳4
m[1;2]+←10
⎕←m
m[;1]×←¯1
⎕←m
m[2;]+←1 2
⎕←m
m[1 2;1 2]+←2 2⍴10×⍳4
⎕←m
w←v
w[2]{⍺-⍵}←10
⎕←w
w[1]÷←4
⎕←w
