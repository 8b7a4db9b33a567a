⍝ Markov chains and walks: powers of a matrix, the steady state by ⍣≡ with rounding, numbers of walks, traces.
⍝ == input p double 2 2: 0.9 0.1 0.5 0.5
⍝ == input n int: 3
⍝ == output 0.86 0.14
⍝ == output 0.7  0.3
⍝ == output 0.844 0.156
⍝ == output 0.8333333333 0.1666666667
⍝ == output 2 3 3
⍝ == output 3 2 3
⍝ == output 3 3 2
⍝ == output 89 55
⍝ == output 55 34
⍝ == output 6
⍝ == output 1 0
⍝ == output 0 1
⎕←p+.×p
⎕←1 0+.×p+.×⍣2⊢p
steady←{⍵+.×p}⍣{1E¯12>⌈/|⍺-⍵}1 0
⎕←steady
power←{⍺=0:(⍳≢⍵)∘.=⍳≢⍵ ⋄ 2|⍺:⍵+.×(⍺-1)∇ ⍵ ⋄ (⍺÷2)∇ ⍵+.×⍵}
g←3 3⍴0 1 1 1 0 1 1 1 0
⎕←n power g
⎕←10 power 2 2⍴1 1 1 0
⎕←+/1 1⍉n power g
⎕←0 power 2 2⍴7
