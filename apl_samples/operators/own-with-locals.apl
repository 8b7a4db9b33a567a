⍝ Operators with statements, guards and local names; operands that are used several times; operands that print.
⍝ == input v double 4: 3 1 4 1
⍝ == output 0.335
⍝ == output 3
⍝ == output 3
⍝ == output 5
⍝ == output 10
⍝ == output 20
⍝ == output 5
trap←{h←(⍺-⍵)÷10 ⋄ x←⍵+h×0,⍳10 ⋄ y←⍺⍺ x ⋄ h×(+/y)-0.5×(⊃y)+⊃⌽y}
⎕←1({⍵*2}trap)0
argmax←{f←⍺⍺¨⍵ ⋄ ⍵[f⍳⌈/f]}
⎕←{-|⍵-2.8}argmax v
range←{(⍺⍺/⍵)-⍵⍵/⍵}
⎕←(⌈range⌊)v
⎕←{⎕←⍵ ⋄ ⍵×2}{⍺⍺ ⍺⍺ ⍵}5
compose←{⍺⍺ ⍵⍵ ⍵}
sqrt←*∘0.5
rms←sqrt compose(+/÷≢)compose(×⍨)
⎕←rms 1 7
