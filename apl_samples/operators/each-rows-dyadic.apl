⍝ The same with two arguments; a scalar goes with every element of the other side.
⍝ == input v int 2: 3 4
⍝ == output 1 10 11
⍝ == output 2 20 22
⍝ == output 0 1
⍝ == output 0 2
⍝ == output 0 3
⍝ == output 3 9
⍝ == output 4 9
⍝ == output 3 3
⍝ == output 4 4
⍝ == output 1 3
⍝ == output 2 4
⍝ == output
⍝ == output 3 3
⍝ == output 4 4
⎕←↑1 2{⍺,⍵,⍺+⍵}¨10 20
⎕←↑0{⍺,⍵}¨1 2 3
⎕←↑v{⍺,⍵}¨9
⎕←↑2⍴¨v
⎕←↑(2 2⍴⍳4){⍺,⍵}¨2 2⍴v
