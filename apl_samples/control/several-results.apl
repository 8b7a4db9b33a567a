⍝ A definition with several results, and one result under several names.
⍝ == input v double 5: 3 1 4 1 5
⍝ == output 1
⍝ == output 4
⍝ == output 3 1
⍝ == output 4 1 5
⍝ == output 5 1 4 1 3
⍝ == output 10 2 8 2 6
⍝ == output 2
⍝ == output 1
⍝ == output 8
⍝ == output 5
⍝ == output 2
⍝ == output 1 2 3
⍝ == output three
minmax←{(⌊/⍵)(⌈/⍵)}
(lo hi)←minmax v
⎕←lo
⎕←hi-lo
split←{k←⍺ ⋄ (k↑⍵)(k↓⍵)}
(head rest)←2 split v
⎕←head
⎕←rest
a←b←c←⌽v
⎕←a
⎕←b+c
(p q)←1 2
(p q)←q p
⎕←p
⎕←q
stats←{n←≢⍵ ⋄ m←(+/⍵)÷n ⋄ n m(0.5*⍨(+/2*⍨⍵-m)÷n)}
(n m d)←stats 2 4 4 4 5 5 7 9
⎕←n
⎕←m
⎕←d
(vals text)←{⍵'three'}⍳3
⎕←vals
⎕←text
