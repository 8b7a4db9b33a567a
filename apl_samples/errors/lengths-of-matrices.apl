⍝ Matrices must agree on both axes; the first that differs is reported.
⍝ == input m int 2 3: 1 2 3 4 5 6
⍝ == case first axis
⍝ == input k int 3 3: 1 2 3 4 5 6 7 8 9
⍝ == error 12:4 LENGTH ERROR: + needs equal lengths, got 2 and 3
⍝ == case last axis
⍝ == input k int 2 2: 1 2 3 4
⍝ == error 12:4 LENGTH ERROR: + needs equal lengths, got 3 and 2
⍝ == case none
⍝ == input k int 2 3: 1 1 1 1 1 1
⍝ == output 27
+/,m+k
