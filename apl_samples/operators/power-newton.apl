⍝ Newton's iteration until two values are close enough; the cube root of 27, and the fixed point of the cosine.
⍝ == input a double: 27
⍝ == output 3
⍝ == output 3
⍝ == output 1.25992105
⍝ == output 0.7390851332
⎕←{⍵-(¯27+⍵*3)÷3×⍵*2}⍣{1E¯12>|⍺-⍵}3.5
cbrt←{a←⍵ ⋄ {⍵-(⍵-a÷⍵×⍵)÷3}⍣{1E¯13>|⍺-⍵}⊢⍵}
⎕←cbrt a
⎕←cbrt 2
⎕←{2○⍵}⍣{1E¯12>|⍺-⍵}1
