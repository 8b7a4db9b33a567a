⍝ A matrix is found at its upper left corner, a vector in a matrix within a row.
⍝ == input m int 3 3: 1 2 3 4 1 2 7 8 1
⍝ == input c char 2 3: 'abcabc'
⍝ == output 1 0 0
⍝ == output 0 0 0
⍝ == output 0 0 0
⍝ == output 0 1 0
⍝ == output 1 0 0
⍝ == output 0 0 0
⍝ == output 0 0 0
⍝ == output 0 0 0
⍝ == output 0 0 0
⍝ == output 1 0
⍝ == output 1 1
⍝ == output 1 0 0
⍝ == output 0 1 0
⍝ == output 0 0 0
⍝ == output 0 1 0
⍝ == output 0 0 0
⍝ == output 1 0 0
⍝ == output 0 0 0
⍝ == output 0 0 0
⎕←(2 2⍴1 2 4 5)⍷3 3⍴⍳9
⎕←2 3⍷2 3⍴1 2 3 2 3 1
⎕←(1 2⍴1 2)⍷1 2 3
⎕←(4 1⍴1)⍷3 3⍴1
⎕←1⍷2 2⍴1 2 1 1
⎕←1 2⍷m
⎕←(2 1⍴'bb')⍷c
⎕←(2 2⍴1 2 4 1)⍷m
