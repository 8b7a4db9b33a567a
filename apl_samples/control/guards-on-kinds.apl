⍝ What ranks, depths, lengths that are known and kinds of elements decide is decided while compiling, however it is written.
⍝ == input n int: 5
⍝ == output 6 3
⍝ == output 5 1
⍝ == output 3 3
⍝ == output 3 7
⍝ == output 1 0
⍝ == output 6 5
⍝ == output 10
⍝ == structure {branches 0}
sum←{(,1)≡⍴⍴⍵:+/⍵ ⋄ (⍴⍴⍵)≡,0:⍵ ⋄ +/,⍵}
(sum 1 2 3),sum 3
first←{(≢⍴⍵)∊0 2:⍵ ⋄ ⊃⍵}
(first n),first 1 2 3
count←{' '=⊃0⍴⍵:≢⍵ ⋄ +/⍵}
(count 'abc'),count 1 2
rows←{1≥≢⍴⍵:+/⍵ ⋄ ∇⍤1⊢⍵}
rows 2 2⍴⍳4
kind←{' '≡⊃0⍴⍵:1 ⋄ 0}
(kind 'abc'),kind 1 2
total←{0 2∊⍨≢⍴⍵:⍵ ⋄ +/⍵}
(total 1 2 3),total n
all←{(0=≢⍴⍵)∨1=≢⍴⍵:+/⍵ ⋄ all +/⍵}
all 2 2⍴⍳4
