⍝ The identity matrix in three ways.
⍝ == input n int: 3
⍝ == output 1 0 0
⍝ == output 0 1 0
⍝ == output 0 0 1
⍝ == output 1 1
⍝ == output 1
⍝ == output 1 0
⍝ == output 0 1
⎕←∘.=⍨⍳3
a ← ∘.=⍨⍳3
b ← 3 3⍴1,3⍴0
c ← (⍳n)∘.=⍳n
⎕←(a≡b),a≡c
⎕←a≡a+.×b
⎕←2 2↑c
