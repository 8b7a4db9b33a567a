⍝ Operators of one's own with one operand: a function, a derived function, a train, an array.
⍝ == input v double 3: 1 2 4
⍝ == output 18
⍝ == output 7
⍝ == output 15
⍝ == output 1 2 4
⍝ == output 1 3 6
⍝ == output 4
⍝ == output 7
⍝ == output 8 4 2
⍝ == output 3 4 1 2
⍝ == output 6 7
⍝ == output 11 12 14
⍝ == output 7
⍝ == output 4 8 16
⍝ == output 4 8 16
twice←{⍺⍺ ⍺⍺ ⍵}
swap←{⍵ ⍺⍺ ⍺}
plus←{⍺⍺+⍵}
⎕←{⍵×3}twice 2
⎕←1∘+twice 5
⎕←(⊢×2+⊢)twice 1
⎕←÷twice v
⎕←+\twice 1 1 1
⎕←{⍵+1}twice twice 0
⎕←3(-swap)10
⎕←v÷swap 8
⎕←1 2(,swap)3 4
⎕←5 plus 1 2
⎕←v plus 10
⎕←{k←⍵ ⋄ {k+⍵}twice 1}3
quad←{⍵×2}twice
⎕←quad v
⎕←quad¨v
