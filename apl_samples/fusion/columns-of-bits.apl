⍝ A column written behind the rows of a matrix of bits: neighbours of the column are not neighbours in memory, so its
⍝ last vector must not be written whole, since that would touch what lies behind the array.
⍝ == input b bool 2 2: 0 1 1 0
⍝ == input v bool 3: 0 1 1
⍝ == output 1 1
⍝ == output 1 1 1 1 1 0
⍝ == output 1
⍝ == output 6
⍝ == output 3 2
⎕←(m←(b≥b),⊃(1⌈≢b)↓v)[1;1 2]
⎕←(,m[1;]),1 1 0
⎕←≢⍴m[;3]
⎕←+/,m
⎕←⍴⍉m∨m[1;1]
