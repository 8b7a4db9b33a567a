⍝ f¨ applies f to each element; the result has the shape of the argument.
⍝ == input v int 3: 5 6 7
⍝ == output ¯1 ¯2 ¯3
⍝ == output 1 4 9 16
⍝ == output 6
⍝ == output
⍝ == output 0 0 1 1
⍝ == output 1 2 2
⍝ == output 2 2 2
⍝ == output 1 1 1
⍝ == output abc
⍝ == output 2
⍝ == output 4
⍝ == output 10 12 14
⍝ == output 3 4 5
⎕←-¨1 2 3
⎕←{⍵×⍵}¨⍳4
⎕←{⍵+1}¨5
⎕←{⍵}¨⍬
⎕←{⍵>2}¨⍳4
⎕←{2⌊⍵}¨2 3⍴⍳6
⎕←≢¨1 2 3
⎕←⊃¨'abc'
⎕←{2×⍵}¨2 1⍴1 2
⎕←{⍵+⍵}¨v
⎕←{⍵-2}∘⊢¨v
