⍝ Distances between points: along a line, in the plane, and between texts.
⍝ == output 0 2 5
⍝ == output 2 0 3
⍝ == output 5 3 0
⍝ == output 0 5
⍝ == output 5 0
⍝ == output 5
⍝ == output 2
⎕←|∘.-⍨1 3 6
p ← 2 2⍴1 2 4 6
⎕←0.5*⍨+/2*⍨(2 1 3⍉2 2 2⍴p)-2 2 2⍴p
⎕←0.5*⍨+/2*⍨1 2 3-4 6 3
⎕←'kitten'+.≠'sittin'
