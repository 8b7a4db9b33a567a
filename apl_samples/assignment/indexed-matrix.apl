⍝ Rows, columns, single elements and rectangles of a matrix.
⍝ == input a double 2 3: 1 2 3 4 5 6
⍝ == output 1 2 3
⍝ == output 4 5 0
⍝ == output 7 8 9
⍝ == output 9 8 7
⍝ == output 4 5 0
⍝ == output 7 8 9
⍝ == output 9 1 7
⍝ == output 4 1 0
⍝ == output 7 1 9
⍝ == output 1 1 2
⍝ == output 4 1 0
⍝ == output 3 1 4
⍝ == output 1 1 2
⍝ == output 0 0 0
⍝ == output 0 0 0
⍝ == output 5 5 5
⍝ == output 5 5 5
⍝ == output 5 5 5
⍝ == output 5 5 5
⍝ == output 5 5 5
⍝ == output 6 7 5
⍝ == output 1 2 3
⍝ == output 1 2 3
⍝ == output 3 2 1
⍝ == output 3 2 1
⍝ == output 1 2
⍝ == output 3 4
⍝ == output
⍝ == output 5 0
⍝ == output 7 8
⍝ == output 20
⍝ == output 0 0
⍝ == output 1 2
⍝ == output
⍝ == output 5 0
⍝ == output 3 4
m←3 3⍴⍳9
m[2;3]←0
⎕←m
m[1;]←9 8 7
⎕←m
m[;2]←1
⎕←m
m[1 3;1 3]←2 2⍴⍳4
⎕←m
m[2 3;]←0
⎕←m
m[;]←5
⎕←m
m[3;⍳2]←6 7
⎕←m
b←a
b[2;]←b[1;]
⎕←b
b[;3 1]←b[;1 3]
⎕←b
c←2 2 2⍴⍳8
c[2;1;2]←0
⎕←c
c[1;;]←0
⎕←+/,c
c[;2;]←2 2⍴⍳4
⎕←c
