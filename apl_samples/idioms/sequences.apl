⍝ Runs of numbers: from, downto, by steps, repeated, odd ones, triangles.
⍝ == input n int: 5
⍝ == output 5 4 3 2 1
⍝ == output 0 1 2 3 4
⍝ == output 4 5 6 7 8
⍝ == output 0.5 1 1.5 2 2.5
⍝ == output 1 3 5 7 9
⍝ == output 1 2 4 8 16
⍝ == output ¯2 ¯1 0 1 2
⍝ == output 0 1 0 1 0
⍝ == output 1 2 2 3 3 3 4 4 4 4 5 5 5 5 5
⍝ == output 1 2 3 4 5
⍝ == output 1 2 6 24 120
⍝ == output 15
⍝ == output ¯1 1 ¯1 1 ¯1
⍝ == output 3 4 5 6 7
⍝ == output 10 9 8 7
⍝ == output 0 1 1 2 2
⍝ == output 1 2 3 1 2
⍝ == output 1 4 2 5 3 6
⎕←⌽⍳n
⎕←¯1+⍳n
⎕←3+⍳n
⎕←0.5×⍳n
⎕←¯1+2×⍳n
⎕←2*¯1+⍳n
⎕←(⍳n)-⌈n÷2
⎕←n⍴0 1
⎕←(⍳n)/⍳n
⎕←+\n⍴1
⎕←×\⍳n
⎕←+/⍳n
⎕←¯1*⍳n
⎕←3{⍺+¯1+⍳1+⍵-⍺}7
⎕←10{⍺-¯1+⍳1+⍺-⍵}7
⎕←⌊2÷⍨⍳n
⎕←1+3|¯1+⍳n
⎕←,⍉2 3⍴⍳6
