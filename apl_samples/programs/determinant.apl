⍝ The determinant by expansion along the first row, a recursion over minors; det AB is det A × det B.
⍝ == input a double 3 3: 2 1 1 1 3 2 1 0 0.5
⍝ == output 5
⍝ == output ¯2
⍝ == output ¯3
⍝ == output 1.5
⍝ == output 1
⍝ == output ¯1
⍝ == output ¯6
⍝ == output 1
⍝ == output 6
det←{
    1=≢⍵: ⊃,⍵
    m←⍵
    n←≢m
    -/m[1;]×{det 1 0↓(⍵≠⍳n)/m}¨⍳n
}
⎕←det 1 1⍴5
⎕←det 2 2⍴1 2 3 4
⎕←det 3 3⍴2 0 1 3 1 4 5 2 6
⎕←det a
⎕←det 4 4⍴1,4⍴0
⎕←det ⊖3 3⍴1 0 0 0
b←3 3⍴1 2 0 1 1 1 0 3 1
⎕←(det b)×det a
⎕←1E¯9>|(det a+.×b)-(det b)×det a
⎕←0.5×|det 1,⍨3 2⍴0 0 4 0 0 3
