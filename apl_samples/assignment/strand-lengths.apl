⍝ There must be as many elements as names.
⍝ == input v int 3: 1 2 3
⍝ == error 4:1 LENGTH ERROR: 3
(a b)←v
