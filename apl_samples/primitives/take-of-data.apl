⍝ ↑ where only the run knows the count and the lengths.
⍝ == input v int 3: 1 2 3
⍝ == input e double 0:
⍝ == input m int 2 2: 1 2 3 4
⍝ == case more than there are
⍝ == input n int: 4
⍝ == output 1 2 3 0
⍝ == output 0 0 0 0
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 0 0
⍝ == output 0 0
⍝ == output 1 2 0 0
⍝ == output 3 4 0 0
⍝ == output 6
⍝ == output 5 0 0 0
⍝ == case from the end
⍝ == input n int: ¯2
⍝ == output 2 3
⍝ == output 0 0
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 5
⍝ == output 0 5
⍝ == case none
⍝ == input n int: 0
⍝ == output
⍝ == output
⍝ == output
⍝ == output
⍝ == output 0
⍝ == output
⎕←n↑v
⎕←n↑e
⎕←n↑m
⎕←2 n↑m
⎕←+/n↑v
⎕←n↑5
