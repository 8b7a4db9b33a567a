⍝ a f¨b applies f to pairs of elements; a scalar or a single element goes with each of the others.
⍝ == input v int 3: 4 5 6
⍝ == input one int 1: 10
⍝ == output 5 7 9
⍝ == output 2 3 4
⍝ == output 11 22 33
⍝ == output ¯9 ¯8
⍝ == output ¯7 ¯6
⍝ == output 6 7 8
⍝ == output 1 0 1
⍝ == output 14 15 16
⍝ == output ¯6 ¯5 ¯4
⍝ == output
⎕←1 2 3+¨4 5 6
⎕←1+¨1 2 3
⎕←1 2 3{⍵+⍺×10}¨1 2 3
⎕←(2 2⍴⍳4){⍺-⍵}¨10
⎕←(,5)+¨1 2 3
⎕←'abc'{⍺=⍵}¨'axc'
⎕←one+¨v
⎕←v{⍺-⍵}¨one
⎕←⍬+¨⍬
