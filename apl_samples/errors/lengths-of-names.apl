⍝ == error 4:5 LENGTH ERROR: × needs equal lengths, got <double>5 and <int>4
a ← 1.5 2 3 4 5
b ← 1 2 3 4
s ← a × b
