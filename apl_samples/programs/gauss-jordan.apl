⍝ The inverse of a matrix by elimination with the largest pivot, one column a step, with indexed assignment. The inverse
⍝ of 2 1 1/1 3 2/1 0 0 is 0 0 1/¯2 1 3/3 ¯1 ¯5; the last one needs the rows exchanged.
⍝ == input a double 3 3: 2 1 1 1 3 2 1 0 0
⍝ == output  0  0  1
⍝ == output ¯2  1  3
⍝ == output  3 ¯1 ¯5
⍝ == output 1
⍝ == output 0.25 0
⍝ == output 0    0.5
⍝ == output 0 1
⍝ == output 1 0
⍝ == output 1
inverse←{
    n←≢⍵
    m←⍵,(⍳n)∘.=⍳n
    step←{
        (k m)←⍵
        c←m[;k]
        p←(k-1)+{⍵⍳⌈/⍵}|(k-1)↓c
        m[k p;]←m[p k;]
        m[k;]←m[k;]÷m[k;k]
        row←m[k;]
        f←m[;k]×k≠⍳n
        m←m-f∘.×row
        (k+1)m
    }
    k←1
    (0,n)↓2⊃(step⍣n)k m
}
⎕←⌊0.5+inverse a
⎕←1E¯12>⌈/,|(a+.×inverse a)-3 3⍴1,3⍴0
⎕←inverse 2 2⍴4 0 0 2
⎕←inverse 2 2⍴0 1 1 0
⎕←1E¯12>⌈/,|(inverse a)-⌹a
