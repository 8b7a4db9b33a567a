⍝ Indexed assignment to the state of a loop: a sieve, a running position, a permutation, a matrix.
⍝ == input n int: 4
⍝ == input v int 5: 5 3 4 1 2
⍝ == output 4 0 0
⍝ == output 5
⍝ == output 1 4 9 16 0 0
⍝ == output 2 3 5 7 11 13 17 19
⍝ == output 3 4 1 5 2
⍝ == output 11 11 1
⍝ == output  2 12 2
⍝ == output 10 10 0
⎕←({a←⍵ ⋄ a[1]←1+a[1] ⋄ a}⍣n)0 0 0
step←{(k a)←⍵ ⋄ a[k]←k×k ⋄ (k+1)a}
k←1
a←6⍴0
(k a)←(step⍣n)k a
⎕←k
⎕←a
strike←{(p s)←⍵ ⋄ m←p×1+⍳¯1+⌊(≢s)÷p ⋄ s[m]←0 ⋄ (p+1)s}
p←2
s←20⍴1
s[1]←0
(p s)←(strike⍣3)p s
⎕←s/⍳20
bubble←{a←⍵ ⋄ i←⊃⍸2>/a ⋄ a[i+0 1]←a[i+1 0] ⋄ a}
⎕←bubble⍣3⊢v
m←3 3⍴0
fill←{(i m)←⍵ ⋄ m[i;]←i ⋄ m[;i]+←10 ⋄ (i+1)m}
⎕←2⊃(fill⍣2)1 m
