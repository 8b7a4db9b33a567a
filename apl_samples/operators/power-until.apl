⍝ f⍣g goes on until g gives 1; g gets the new value on its left, the one before it on its right.
⍝ == input n int: 1000
⍝ == output 128
⍝ == output 256
⍝ == output 32
⍝ == output 0
⍝ == output 4
⍝ == output 10
⍝ == output 2187
⍝ == output 0.78125
⍝ == output 1 1 2 3 5 8 13 21 34 55
⍝ == output 5 6
⍝ == output 1.5 2.5
⎕←{⍵×2}⍣{⍺>100}1
⎕←{⍵×2}⍣{⍵>100}1
⎕←{⍵×2}⍣{10<⍺-⍵}1
⎕←{⍵-1}⍣{⍺≤0}5
⎕←{⍵-1}⍣{1}5
⎕←(1∘+)⍣{10≤⍺}0
⎕←3×⍣{⍺>n}1
⎕←{⍵÷2}⍣{⍺<1}100
⎕←{⍵,+/¯2↑⍵}⍣{50<⊃⌽⍺}1 1
⎕←{1↓⍵}⍣{2≥≢⍺}⍳6
⎕←{⍵+÷!≢⍵}⍣{1}1 2
