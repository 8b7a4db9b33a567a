⍝ A definition between the elements: right to left, on elements of any type. One element is the result itself.
⍝ == input v int 4: 1 2 3 4
⍝ == input one double 1: 2.5
⍝ == output 15
⍝ == output ¯2
⍝ == output 3
⍝ == output 17
⍝ == output 5
⍝ == output 1.618181818
⍝ == output ¯2 2.5
⍝ == output 3 7
⎕←{⍺+⍵}/⍳5
⎕←{⍺-⍵}/1 2 3 4
⎕←{⍵}/1 2 3
⎕←{⍺+2×⍵}/1 2 3    ⍝ 1+2×(2+2×3)
⎕←{⍺+⍵}/,5
⎕←{⍺+÷⍵}/10⍴1      ⍝ the continued fraction 1+÷1+÷…: 89÷55
⎕←({⍺-⍵}/v),{⍺-⍵}/one
⎕←{⍺+⍵}/2 2⍴⍳4
