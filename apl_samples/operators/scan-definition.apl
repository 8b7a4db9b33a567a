⍝ A definition between the elements of each beginning: 1, 1+2×2, 1+2×2+2×3.
⍝ == input v double 3: 1 2 3
⍝ == output 1 5 17
⍝ == output 1 5 17
⍝ == output 7 8 9
⍝ == output 7 7 7
⍝ == output 1 ¯1 2 ¯2
⍝ == output 1 1 0 ¯2
⍝ == output 1 2 1.5 1.666666667 1.6
⍝ == output 3 1
⍝ == output 3 5
⍝ == output 4 6
⎕←{⍺+2×⍵}\1 2 3
⎕←{⍺+2×⍵}\v
⎕←{⍵}\7 8 9
⎕←{⍺}\7 8 9
⎕←{⍺-⍵}\1 2 3 4
⎕←-⍨\1 2 3 4
⎕←{⍺+÷⍵}\5⍴1
⎕←{⍺⌈⍵}⍀2 2⍴3 1 2 5
⎕←(2÷⍨+)\4 8
