⍝ Indices in brackets, one for each axis: the result has the shape of each index in its place, and an axis without one
⍝ is taken whole.
⍝ == input w double 3: 0.5 1.5 2.5
⍝ == input k int 2 3: 1 2 3 4 5 6
⍝ == input i int 2: 3 1
⍝ == output 20
⍝ == output
⍝ == output 1
⍝ == output 30 10 10
⍝ == output 10 20
⍝ == output 30 10
⍝ == output
⍝ == output bc
⍝ == output 20
⍝ == output 6
⍝ == output 1 2 3
⍝ == output 2 5
⍝ == output 3 1
⍝ == output 6 4
⍝ == output 5 2
⍝ == output 1 3
⍝ == output 2 2 3 4
⍝ == output 2 4
⍝ == output 20
⍝ == output 2.5 0.5
⍝ == output 3 1
⍝ == output 6 4
⍝ == output 4 5 6
⍝ == output 2
v←10 20 30 ⋄ m←2 3⍴⍳6
⎕←v[2]
⎕←⍴v[2]
⎕←⍴v[,2]
⎕←v[3 1 1]
⎕←v[2 2⍴1 2 3 1]
⎕←v[⍬]
⎕←'abc'[2 3]
⎕←10 20 30[2]
⎕←m[2;3]
⎕←m[1;]
⎕←m[;2]
⎕←m[;3 1]
⎕←m[2 1;2]
⎕←⍴m[,1;]
⎕←⍴m[2 2⍴1;3 4⍴1]
⎕←(2 2 2⍴⍳8)[1;;2]
⎕←v[2.0]
⎕←w[i]
⎕←k[;i]
⎕←k[2;]
⎕←+/w[⍳2]
