⍝ Results of the rank operator that differ in shape are filled up, as ↑ fills up what ¨ gives.
⍝ == input m int 2 4: 3 1 3 2 5 5 5 5
⍝ == output 1 0 0 0
⍝ == output 1 2 0 0
⍝ == output 1 2 3 0
⍝ == output 1 2 3 4
⍝ == output 3 1 2
⍝ == output 5 0 0
⍝ == output a  
⍝ == output ab 
⍝ == output abc
⎕←⍳⍤0⊢⍳4
⎕←∪⍤1⊢m
⎕←{⍵↑'abc'}⍤0⊢⍳3
