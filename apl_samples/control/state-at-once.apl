⍝ The state of a loop changes at once: extents, arrays and scalars that change places lose nothing, and one that
⍝ goes to two places stays where it is, too. Lengths are known when compiling here, or only the run knows them.
⍝ == input m int 2 3: 1 2 3 4 5 6
⍝ == input n int: 3
⍝ == input v int 5: 1 2 3 4 5
⍝ == output 1 4
⍝ == output 2 5
⍝ == output 3 6
⍝ == output 1 4
⍝ == output 2 5
⍝ == output 3 6
⍝ == output 11 12
⍝ == output 2
⍝ == output 3
⍝ == output 4 5
⍝ == output 1 2 3
⍝ == output 9 8
⍝ == output 4 5 6 7 8 9
⍝ == output 4 5 6 7 8 9
⍝ == output 4 5 6 7 8 9
⍝ == output 4 5 6 7 8 9
⍝ == output 4 5 6 7 8 9
⍝ == output 4 5 6 7
⍝ == output 9 8
⍝ == output 1 2 3 4 5
⍝ == output 2.5 3.5
⍝ == output ab
⍝ == output 5
⍝ == output 14
⍝ == output 3
⍝ == output 1
⍝ == output 4 3 2 1
⍝ == output 3 5 8
⍝ == output 13 21 34
⍝ == output 12 3
⍝ a matrix turned
⎕←⍉⍣3⊢2 3⍴⍳6
⎕←⍉⍣n⊢m
⎕←{⍉1↓⍵}⍣{2>≢⍺}⊢3 4⍴⍳12
⎕←≢⍉⍣2⊢m
⎕←≢{⍉⍵}⍣{⍺≢⍵}⊢m
⍝ two vectors
(a b)←{(a b)←⍵ ⋄ b a}⍣n⊢(1 2 3)(4 5)
⎕←a
⎕←b
(a b)←{(a b)←⍵ ⋄ b b}⍣n⊢(1 2 3 4 5 6)(9 8)
⎕←b
(a b)←{(a b)←⍵ ⋄ b b}⍣n⊢(1 2 3 4 5 6)(4 5 6 7 8 9)
⎕←a
⎕←b
⍝ three
(a b c)←{(a b c)←⍵ ⋄ b b a}⍣n⊢(1 2 3 4 5 6)(4 5 6 7 8 9)(9 8 7 6 5 4)
⎕←a
⎕←b
⎕←c
(a b c)←{(a b c)←⍵ ⋄ b c a}⍣4⊢v(4 5 6 7)(9 8)
⎕←a
⎕←b
⎕←c
⍝ of different elements, one of them alone
(a b c)←{(a b c)←⍵ ⋄ (⌽a)b(b⍴'ab')}⍣n⊢(3.5 2.5)2'abcd'
⎕←a
⎕←c
⍝ arguments of calls in tail position
⎕←v{0=≢⍵:⍺ ⋄ ⍵ ∇ 2↓⍺}1 2 3
⎕←1{⍵>20:⍺ ⋄ ⍵ ∇ ⍺+⍵}4
⎕←v{1≥≢⍵:⍺ ⋄ (1↓⍵)∇ ¯1↓⍺}1 2 3 4
⎕←(1 2){3>⊃⍵:⊃⌽⍵ ⋄ ⍵ ∇ ⍺-1}3 1
⎕←⍬{0=≢⍵:⍺ ⋄ ((1↑⍵),⍺)∇ 1↓⍵}1 2 3 4
⍝ scalars in a ring, and behind each other
(a b c)←{(a b c)←⍵ ⋄ b c(b+c)}⍣n⊢1 1 2
⎕←a b c
(a b c)←{(a b c)←⍵ ⋄ b c(b+c)}⍣6⊢1 1 2
⎕←a b c
⍝ extents, of a matrix that is reshaped by those of another
⎕←⍴{(⌽⍴⍵)⍴⍵}⍣n⊢3 12⍴⍳36
