⍝ Trains of derived functions, of constants, of trains; four items are an atop of a fork, five a fork with a fork.
⍝ == input v double 4: 1 2 4 9
⍝ == output 9
⍝ == output ¯3 ¯2 0 5
⍝ == output 2 4 8 18
⍝ == output 1
⍝ == output 0
⍝ == output ¯1 ¯2 ¯5
⍝ == output 2
⍝ == output 1 2 1 3
⍝ == output 1
⍝ == output 2
⍝ == output 1 0 1
⍝ == output 5
⍝ == output 3 2 5
⍝ == output 4
⍝ == output 102
⍝ == output 5
⍝ == output 25.5
⍝ == output 1 2
⍝ == output 2 4
⍝ == output 3 6
⍝ == output 6 2.5
⍝ == output 3 2 1 2 3
⍝ == output 24
⎕←(⌈/÷⌊/)v
⎕←(⊢-+/÷≢)v
⎕←(2×⊢)v
⎕←(∧/2≤/⊢)v
⎕←(∧/2≤/⊢)⌽v
⎕←(2-/⊢)v
⎕←(≢∪)1 1 2
⎕←(∪⍳⊢)3 1 3 2
⎕←'ana'(∨/⍷)'banana'
⎕←'ana'(+/⍷)'banana'
⎕←(⊢=⌊)1 1.5 2
⎕←3(+×-)2
⎕←3(⊣,⊢,+)2
⎕←(⌈/⍳⍨⊢)v
⎕←(+/×⍨)v
⎕←(0.5*⍨+/⍤(×⍨))3 4
⎕←((+/÷≢)×⍨)v
⎕←(1 2 3∘.×⊢)1 2
⎕←10(-,÷)4
⎕←(⌽,1↓⊢)1 2 3
⎕←({⍵+1}×{⍵-1})5
