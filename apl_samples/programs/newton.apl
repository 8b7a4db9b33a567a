⍝ Roots by Newton's method, with ⍣≡ where the values settle and with a tolerance where they may not.
⍝ == input a double: 2
⍝ == output 1.414213562
⍝ == output 2 3 10
⍝ == output 3
⍝ == output 1.25992105
⍝ == output 1.098612289
⍝ == output 0.7390851332
⍝ == output 5
root←{a←⍵ ⋄ {0.5×⍵+a÷⍵}⍣{1E¯14>|1-⍺÷⍵}1⌈a}
⎕←root a
⎕←root¨4 9 100
⎕←{0.5×⍵+9÷⍵}⍣≡9
newton←{f←⍺⍺ ⋄ g←⍵⍵ ⋄ {⍵-(f ⍵)÷g ⍵}⍣{1E¯12>|⍺-⍵}⊢⍵}
⎕←{¯2+⍵*3}newton{3×⍵*2}1
⎕←{(*⍵)-3}newton{*⍵}1
⎕←{(2○⍵)-⍵}newton{-1+1○⍵}1
steps←{⍺←0 ⋄ 1E¯12>|2-⍵×⍵:⍺ ⋄ (⍺+1)∇ 0.5×⍵+2÷⍵}
⎕←steps 1
