⍝ The shape of the result is that of the left argument, then that of the right. Radices run along the first axis.
⍝ == input r int 2 2: 2 10 2 10
⍝ == input v int 3: 7 12 99
⍝ == output 1 0
⍝ == output 2 4
⍝ == output 3 5
⍝ == output 0 1 1
⍝ == output 0 0 1
⍝ == output 1 1 1
⍝ == output 1    ¯2
⍝ == output 0.25  0.75
⍝ == output 1 0
⍝ == output 1 7
⍝ == output 2 2 3 2
⍝ == output 3 0
⍝ == output 0 1 9
⍝ == output 7 2 9
⍝ == output 1 0
⍝ == output 1 7
⎕←10 10 10⊤123 45
⎕←2 2 2⊤1 5 7
⎕←0 1⊤1.25 ¯1.25
⎕←(2 2⍴2 10 2 10)⊤7
⎕←⍴(2 2⍴10)⊤3 2⍴1
⎕←⍴2 2 2⊤⍬
⎕←10 10⊤v
⎕←r⊤7
