⍝ The condition as an expression: f⍣(x<y).
⍝ == input x double: ¯3.5
⍝ == output 3.5
⍝ == output ¯3.5
⍝ == output 2 0 3
⍝ == output 3 2 1
⍝ == output 1 2 3
⍝ == output 1 2 3
⍝ == output 3 2 1
⎕←-⍣(x<0)⊢x
⎕←-⍣(x>0)⊢x
abs←{-⍣(⍵<0)⊢⍵}
⎕←abs¨¯2 0 3
⎕←⌽⍣(1=1)⊢1 2 3
⎕←⌽⍣0⊢1 2 3
sort←{⍵[⍋⍵]}
down←{⍺←0 ⋄ ⌽⍣⍺ sort ⍵}
⎕←down 3 1 2
⎕←1 down 3 1 2
