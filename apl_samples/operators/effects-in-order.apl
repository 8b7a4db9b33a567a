⍝ A function with an effect runs once for each cell, in order, however often its result is used; without cells it
⍝ runs once, for a cell of fills. / and \ of a scalar never run it.
⍝ == input v int 3: 1 2 3
⍝ == input m int 2 2: 1 2 3 4
⍝ == input none int 0 2:
⍝ == output 1
⍝ == output 2
⍝ == output 3
⍝ == output 8 8 8
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 3 7
⍝ == output 5 1
⍝ == output 5 2
⍝ == output 5 3
⍝ == output 6 7 8
⍝ == output 0 0
⍝ == output 0 2
⍝ == output 5 5 0
r←{⎕←⍵ ⋄ 2×⍵}¨v
⎕←r+⌽r
⎕←{⎕←⍵ ⋄ +/⍵}⍤1⊢m
⎕←5{⎕←⍺,⍵ ⋄ ⍺+⍵}¨v
⎕←⍴{⎕←⍵ ⋄ ⌽⍵}⍤1⊢none
⎕←{s←⍵ ⋄ f←{s⊢←⍺+s ⋄ ⍺+⍵} ⋄ r←(f/5),f\5 ⋄ r,s}0
