⍝ Loops in loops that read and write columns have them one behind the other meanwhile: columns made orthogonal to those
⍝ before them, and the greatest of pairs.
⍝ == input m double 3 2: 3 1 0 2 4 2
⍝ == output 6000000000 ¯1568929081
⍝ == output          0  9805806757
⍝ == output 8000000000  1176696811
⍝ == output 3 3  6
⍝ == output 1 4 12
⍝ == output 0 4 16
⍝ == output 0 0
∇ q←orthonormal q;k;j
:For k :In ⍳¯1↑⍴q
    :For j :In ⍳k-1
        q[;k]-←q[;j]×q[;j]+.×q[;k]
    :EndFor
    q[;k]÷←(q[;k]+.×q[;k])*0.5
:EndFor
∇
∇ q←climbing q;k;j
:For k :In ⍳¯1+¯1↑⍴q
    :For j :In k↓⍳¯1↑⍴q
        q[;j]+←q[;k]⌈q[;j]
    :EndFor
:EndFor
∇
⎕←⌊0.5+1E10×orthonormal m
⎕←climbing 3 3⍴3 0 0 1 2 3 0 2 4
⎕←⍴orthonormal 0 0⍴m
