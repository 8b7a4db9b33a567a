⍝ Rounds that leave most rows of a matrix as they are: what is reached from where, and rows that are added where a
⍝ column says so. A row is walked only where its condition changes something.
⍝ == input n int: 18
⍝ == input none int: 0
⍝ == output 5 5 5 4 4 4 3 3 3 2 2 2 1 1 1 0 0 0
⍝ == output 0
⍝ == output 41 61 41 22 23 24
⍝ == output 0
∇ r←reached r;k
:For k :In ⍳≢r
    r←r∨r[;k]∘.∧r[k;]
:EndFor
∇
∇ r←added r;k
:For k :In ⍳⌊(≢r)÷2
    r←r+(4=r[;k])∘.×r[1+k;]
:EndFor
∇
links←{(⍳⍵)∘.=¯3+⍳⍵}
sums←{(⍳⍵)∘.+⍳⍵}
+/reached links n
+/+/reached links none
6↑(added sums n)[;n]
+/+/added sums none
