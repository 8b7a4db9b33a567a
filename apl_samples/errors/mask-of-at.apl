⍝ What a function right of @ gives says for each element whether it is replaced.
⍝ == input v int 3: 1 0 1
⍝ == output 9 0 9
⍝ == error 7:1 LENGTH ERROR: the operator @ needs equal lengths, got 2 and 3
v←v
(9@{⍵=1})v
(9@{1↓⍵})v
