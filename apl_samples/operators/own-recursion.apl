⍝ ∇ in an operator is the function with its operands.
⍝ == input v double 5: 2 7 1 8 3
⍝ == output 128
⍝ == output ¯2
⍝ == output 1 8 3
⍝ == output ¯2
⍝ == output 8
⍝ == output 10
⍝ == output 1.414213562
⍝ == output 0.6931471806
while←{⍵⍵ ⍵:∇ ⍺⍺ ⍵ ⋄ ⍵}
⎕←{⍵×2}while{⍵<100}1
⎕←{⍵-3}while{⍵>0}10
⎕←{1↓⍵}while{3<≢⍵}v
foldr←{1=≢⍵:⊃⍵ ⋄ (⊃⍵)⍺⍺ ∇ 1↓⍵}
⎕←-foldr 1 2 3 4
⎕←⌈foldr v
repeat←{⍺=0:⍵ ⋄ (⍺-1)∇ ⍺⍺ ⍵}
⎕←5({⍵+2}repeat)0
bisect←{
    m←(+/⍵)÷2
    1E¯12>-/⌽⍵: m
    (×⍺⍺ m)=×⍺⍺⊃⍵: ∇ m,1↓⍵
    ∇(1↑⍵),m
}
⎕←{¯2+⍵*2}bisect 1 2
⎕←{2-*⍵}bisect 0 1
