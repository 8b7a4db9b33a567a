⍝ Products of truth values count the bits of words where there are enough of them: neighbours in common, distances,
⍝ what is reached in two steps, triangles.
⍝ == input n int: 70
⍝ == output 25
⍝ == output 91660
⍝ == output 3710
⍝ == output 413.6666667
⍝ == output 76
⍝ == output 70
⍝ == output 615 600 736 580 495 967 720 569 602 593
⍝ == output 155
g←n n⍴0=11|⌊0.5+7×(1+⍳n×n)*0.5
g∨←⍉g
⎕←⌈/,g+.∧g
⎕←+/,g+.≠⍉g
⎕←+/+/g∨g∨.∧g
⎕←(+/,g×g+.×g)÷6
⎕←+/,g∧.=⍉g
⎕←+/∨/~g∧.∨~g
⎕←10↑+/(g[⍳20;])+.>g
⎕←(+⌿g)+.×g[;1]
