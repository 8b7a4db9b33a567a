⍝ Which rows of one table are columns of another.
⍝ == input a int 5 2: 1 2 3 4 5 6 1 2 0 0
⍝ == input b int 2 3: 1 5 0 2 6 1
⍝ == output 1 0 0
⍝ == output 0 0 0
⍝ == output 0 1 0
⍝ == output 1 0 0
⍝ == output 0 0 0
⍝ == structure {allocs 3, modulo 0}
a∧.=b
