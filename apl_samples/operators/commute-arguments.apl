⍝ f⍨ with functions that choose and shape, and with derived functions.
⍝ == input v int 5: 3 9 1 7 4
⍝ == output 9 7 4
⍝ == output 1 7 4
⍝ == output 7 4
⍝ == output 1 2
⍝ == output 3 1
⍝ == output 9 1 7 4 3
⍝ == output 1 0
⍝ == output 1
⍝ == output 1.5 4.5 0.5 3.5 2
⍝ == output  9  8
⍝ == output 19 18
⍝ == output 156
⍝ == output 1
⍝ == output 4 3
⍝ == output 1 4 27 256
⎕←v/⍨v>3
⎕←v↓⍨2
⎕←v↑⍨¯2
⎕←(⍳3)⍴⍨2 2
⎕←v⌽⍨1
⎕←v∊⍨9 2
⎕←÷⍨7
⎕←2÷⍨v
⎕←1 2∘.-⍨10 20
⎕←+.×⍨v
⎕←≡⍨v
⎕←3{⍺,⍵}⍨4
⎕←*⍨⍳4
