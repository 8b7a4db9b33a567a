⍝ == input v int 3: 1 2 3
⍝ == error 3:1 LENGTH ERROR: , needs equal lengths, got 2 and 3
(2 2⍴⍳4),v
