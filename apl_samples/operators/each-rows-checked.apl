⍝ Where only the run knows the lengths of the results, they are checked: all must be equal.
⍝ == input n int 3: 4 4 4
⍝ == output 1 2 3 4
⍝ == output 1 2 3 4
⍝ == output 1 2 3 4
⍝ == output 5 0 0 0
⍝ == output 5 0 0 0
⍝ == output 5 0 0 0
⍝ == output 4 3 2 1
⍝ == output 4 3 2 1
⍝ == output 4 3 2 1
⍝ == output 3 4 2
⍝ == output 1 3
⍝ == output 1 3
⎕←↑⍳¨n
⎕←↑n↑¨5
⎕←↑{⌽⍳⍵}¨n
⎕←⍴↑{⍵ 2⍴0}¨n
⎕←↑{(2|⍳⍵)/⍳⍵}¨4 4
