⍝ The same seed gives the same numbers, of the right range; a deal has no number twice.
⍝ == input n int: 50
⍝ == output 1
⍝ == output 1
⍝ == output 1
⍝ == output 1
⍝ == output 0
⍝ == output 5
⍝ == output 1
⍝ == output 1
⍝ == output 1
⍝ == output 1
⎕RL←42
a←?n⍴6
b←?n⍴0
⎕RL←42
c←?n⍴6
⎕←a≡c
⎕←∧/(a≥1)∧a≤6
⎕←∧/(b>0)∧b<1
⎕←a≡⌊a
⎕←a≡?n⍴6
⎕RL←7
d←5?n
⎕←≢∪d
⎕←(∧/d≤n)∧∧/d≥1
⎕RL←7
⎕←d≡5?n
e←n?n
⎕←(⍳n)≡e[⍋e]
⎕←0<⎕RL
