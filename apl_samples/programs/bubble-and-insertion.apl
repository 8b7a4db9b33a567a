⍝ Sorting by hand: exchanges with indexed assignment until none is needed, insertion by comparison, counting sort.
⍝ == input v int 7: 4 1 3 9 1 7 2
⍝ == output 1 1 2 3 4 7 9
⍝ == output 1 2 3 4
⍝ == output 1 1 2 3 4 7 9
⍝ == output 1 1 2 3 4 7 9
⍝ == output 1 1 2 3 4 7 9
pass←{k←⊃(⍸2>/⍵),0 ⋄ k=0:⍵ ⋄ a←⍵ ⋄ a[k+0 1]←a[k+1 0] ⋄ a}
⎕←pass⍣≡v
insert←{(⍵[⍸⍵≤⍺]),⍺,⍵[⍸⍵>⍺]}
⎕←3 insert 1 2 4
sort←{x←⍵ ⋄ step←{(k s)←⍵ ⋄ (k+1)(x[k]insert s)} ⋄ k←1 ⋄ s←0⍴x ⋄ 2⊃(step⍣(≢x))k s}
⎕←sort v
counting←{k←⍳⌈/⍵ ⋄ (+/k∘.=⍵)/k}
⎕←counting v
⎕←v[⍋v]
