⍝ A guard that compares what is the same for all elements, and is computed by an operator, with the element at hand.
⍝ == input V int 4: 1 3 2 2
⍝ == input W double 4: 3 1 ¯1.5 ¯1
⍝ == output 6 2 2 2 2 6 1 1
⍝ == output 2 2 2 2
⍝ == output 2 2 2 2
⍝ == output 2 2 2 2
⍝ == output 2 2 2 2
⍝ == output 0 0 0 0
⍝ == output 0 0 0 0
⎕←(V,W){(V+.×W)≠⍵:≢∪⍺=V ⋄ V⌈.+V}¨V,W
⎕←W∘.{(⍺+.×W)=(V+.×W)-⍵:1 ⋄ 2}V
⎕←{1=2=3=⍵}¨V
⎕←{W[1]=V[2]=V[1]=⍵}¨V
