⍝ Indices count from 1, each along its own axis.
⍝ == input m int 2 3: 1 2 3 4 5 6
⍝ == case inside
⍝ == input i int: 2
⍝ == input j int 2: 3 1
⍝ == output 6 4
⍝ == case no such row
⍝ == input i int: 3
⍝ == input j int 2: 3 1
⍝ == error 19:1 INDEX ERROR: 3
⍝ == case no such column
⍝ == input i int: 2
⍝ == input j int 2: 3 4
⍝ == error 19:1 INDEX ERROR: 4
⍝ == case nothing is counted from 0
⍝ == input i int: 2
⍝ == input j int 2: 0 1
⍝ == error 19:1 INDEX ERROR: 0
m[i;j]
