⍝ A loop in a loop, whose state lies in the same memory: a component that goes on as it is, and others that are
⍝ computed of it after the inner loop has changed it.
⍝ == output 4 2 4
⍝ == output 4 2
⍝ == output 3
⍝ == output 2 4
g←{(a b c d)←⍵ ⋄ b a (≢d) (1↓a)}
f←{(a b c d)←g⍣⍺⊢⍵ ⋄ (⌽b) (c⌽d) c d}
(a b c d)←{4 f ⍵}⍣2⊢(5 2) (8 4 4 2) 7 (5 0)
⎕←a
⎕←b
⎕←c
⎕←d
