⍝ Running values along axes that are not the last, by functions with and without an order.
⍝ == input a int 2 3 2: 1 2 3 4 5 6 7 8 9 10 11 12
⍝ == output 1 2 3 4 5 6 8 10 12 14 16 18
⍝ == output 1 2 4 6 9 12 7 8 16 18 27 30
⍝ == output 1 2 ¯2 ¯2 3 4 7 8 ¯2 ¯2 9 10
⍝ == output 1 2 3 4 5 6 7 8 9 10 11 12
⍝ == output 1 0.5 0.3333333333333333 1 1 2
⍝ == output 1 2 6 8 20 24 7 8 18 20 44 48
⎕←,+\[1]a
⎕←,+\[2]a
⎕←,-\[2]a
⎕←,⌈\[1]a
⎕←,÷⍀3 2⍴1.0 0.5 3.0 0.5 3.0 2.0
⎕←,{⍺+(2×⍵)-⍺⌊⍵}\[2]a
