⍝ ↓ where only the run knows the count and the lengths.
⍝ == input v int 3: 1 2 3
⍝ == input e double 0:
⍝ == input m int 2 2: 1 2 3 4
⍝ == case from the front
⍝ == input n int: 1
⍝ == output 2 3
⍝ == output
⍝ == output 3 4
⍝ == output 2
⍝ == output 4
⍝ == output 5
⍝ == output 0
⍝ == case more than there are
⍝ == input n int: 4
⍝ == output
⍝ == output
⍝ == output
⍝ == output
⍝ == output 0
⍝ == output 0
⍝ == case from the end
⍝ == input n int: ¯2
⍝ == output 1
⍝ == output
⍝ == output
⍝ == output
⍝ == output 1
⍝ == output 0
⎕←n↓v
⎕←n↓e
⎕←n↓m
⎕←0 n↓m
⎕←+/n↓v
⎕←⍴n↓5
