⍝ The arithmetic mean as a definition and as a train. The mean of no numbers is 0÷0, which is 1.
⍝ == input e double 0:
⍝ == output 2.5
⍝ == output 2.5
⍝ == output 2 5
⍝ == output 2.5 3.5 4.5
⍝ == output 1
⍝ == output 7
mean ← {(+/⍵)÷≢⍵}
Mean ← +⌿÷≢
⎕←mean 1 2 3 4
⎕←Mean 1 2 3 4
⎕←{(+/⍵)÷1↓⍴⍵}2 3⍴⍳6
⎕←Mean 2 3⍴⍳6
⎕←mean e
⎕←Mean 7
