⍝ There is a count for each element, unless there is a single count or a single element.
⍝ == input v int 3: 1 2 3
⍝ == case a count for each
⍝ == input n int 3: 0 1 2
⍝ == output 2 3 3
⍝ == case one for all
⍝ == input n int 1: 2
⍝ == output 1 1 2 2 3 3
⍝ == case too few
⍝ == input n int 2: 1 0
⍝ == error 12:1 LENGTH ERROR: /
n/v
