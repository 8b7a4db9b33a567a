⍝ An error is one also where nothing of the result is used.
⍝ == input v int 3: 1 2 3
⍝ == output 1
⍝ == error 6:3 LENGTH ERROR: + needs equal lengths, got 3 and 2
⎕←1
x←v+1 2
⎕←2
