⍝ There are as many ones as elements.
⍝ == input v int 2: 5 6
⍝ == case as many
⍝ == input b int 3: 1 0 1
⍝ == output 5 0 6
⍝ == case one more
⍝ == input b int 3: 1 1 1
⍝ == error 12:1 LENGTH ERROR: \
⍝ == case none
⍝ == input b int 3: 0 0 0
⍝ == error 12:1 LENGTH ERROR: \
b\v
