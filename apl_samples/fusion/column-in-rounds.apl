⍝ A column behind the rows of a matrix is computed in a loop of its own; where it reads what a reshape repeats, that
⍝ loop is cut into rounds, whose index is another one: the compiler stopped with a KeyError.
⍝ == input c char 2 2: 'abcd'
⍝ == input v int 3: 1 2 3
⍝ == output 0  cdab
⍝ == output 7 7 7 1
⍝ == output 7 7 7 2
⍝ == output 7 7 7 3
⍝ == output 7 7 7 1
⍝ == output 7 7 7 2
x←(7 3⍴' '),(3↑⍕0),,⊖c
⎕←x[;4]
⎕←(5 3⍴7),5⍴v
