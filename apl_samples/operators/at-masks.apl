⍝ What a function right of @ gives says for each element whether it is replaced: zeros and ones, no counts.
⍝ == input v int 3: 1 0 2
⍝ == case as it should be
⍝ == input m int 3: 1 0 1
⍝ == output 9 0 9
⍝ == output 9 9 9
⍝ == case too few
⍝ == input m int 2: 1 0
⍝ == error 13:1 LENGTH ERROR: the operator @ needs equal lengths, got 2 and 3
⍝ == case a count
⍝ == input m int 3: 1 0 2
⍝ == error 13:5 DOMAIN ERROR: @ needs zeros and ones
(9@{m})v
(9@{1})v
