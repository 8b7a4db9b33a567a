⍝ The diagonal and the transposed matrix of data; a diagonal is as long as the shorter axis. A matrix of three rows
⍝ without columns prints three empty lines.
⍝ == case a square
⍝ == input m double 2 2: 1 2 3 4
⍝ == output 1 4
⍝ == output 1 3
⍝ == output 2 4
⍝ == output 5
⍝ == output 2
⍝ == case more columns
⍝ == input m double 2 3: 1 2 3 4 5 6
⍝ == output 1 5
⍝ == output 1 4
⍝ == output 2 5
⍝ == output 3 6
⍝ == output 6
⍝ == output 2
⍝ == case empty
⍝ == input m double 0 3:
⍝ == output
⍝ == output
⍝ == output
⍝ == output
⍝ == output 0
⍝ == output 0
⎕←1 1⍉m
⎕←2 1⍉m
⎕←+/1 1⍉m
⎕←⍴1 1⍉m
