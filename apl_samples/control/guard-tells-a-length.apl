⍝ Behind a guard that asks for the length it is known: the quotient by it is not asked for zero, and halves are not empty.
⍝ == case three
⍝ == input v double 3: 1 2 6
⍝ == output 3
⍝ == output 6 2 1
⍝ == case one
⍝ == input v double 1: 5
⍝ == output 5
⍝ == output 5
⍝ == case none
⍝ == input v double 0:
⍝ == output ¯1
⍝ == output
mean←{0=≢⍵:¯1 ⋄ (+/⍵)÷≢⍵}
turned←{1≥≢⍵:⍵ ⋄ h←⌊0.5×≢⍵ ⋄ (∇h↓⍵),∇h↑⍵}
⎕←mean v
⎕←turned v
