⍝ f¨ with a primitive, a derived function, a train, a composition, a name, each of an each.
⍝ == input m int 2 2: 1 2 3 4
⍝ == output 1 0.5 0.25
⍝ == output 1 2 4 8
⍝ == output 4 5
⍝ == output 1 3 6 10 15
⍝ == output 3 0 2
⍝ == output 1 2
⍝ == output 1  4
⍝ == output 9 16
⍝ == output ¯1 ¯2
⍝ == output ¯3 ¯4
⍝ == output 1  4
⍝ == output 9 16
⍝ == output 1  3
⍝ == output 6 10
⍝ == output 0 1 0
⍝ == output 0 0 0
⍝ == output 0.5 1
⍝ == output 1.5 2
⍝ == output 11 12
⍝ == output 13 14
⍝ == output 3 6
⍝ == output 4 8
⎕←÷¨1 2 4
⎕←2*¨0 1 2 3
⎕←+/¨4 5
⎕←(+/⍳)¨⍳5
⎕←≢∘⍳¨3 0 2
⎕←(1⌈⊢)¨0 2
⎕←×⍨¨m
⎕←-¨¨m
sq←×⍨ ⋄ ⎕←sq¨m
⎕←{+/⍳⍵}¨m
⎕←↑'abc'∘∊¨'bd'
⎕←m{⍺÷⍵}¨2
⎕←10+¨m
⎕←↑{k←⍵ ⋄ {⍵×k}¨1 2}¨3 4
