⍝ == error 2:5 LENGTH ERROR: + needs equal lengths, got <int>3 and <int>2
5 × 1 2 3+1 2
