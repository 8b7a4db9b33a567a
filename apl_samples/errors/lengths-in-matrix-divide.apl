⍝ There are as many equations as right sides, and at least as many as unknowns.
⍝ == input b double 2: 18 2
⍝ == case square
⍝ == input a double 2 2: 3 2 1 2
⍝ == output 8 ¯3
⍝ == case one more
⍝ == input a double 3 2: 3 2 1 2 1 1
⍝ == error 12:1 LENGTH ERROR: ⌹
⍝ == case too few
⍝ == input a double 2 3: 3 2 1 2 1 1
⍝ == error 12:1 LENGTH ERROR: ⌹
b⌹a
