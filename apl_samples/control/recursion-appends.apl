⍝ A call that comes last is a jump, also in a function that changes names outside of it: what it appends stays where it is, and
⍝ nothing waits for its end.
⍝ == output 20001
⍝ == output 20000 400020000 0
⍝ == output 112
⍝ == output 7
⍝ == output 5 8 10 
⍝ == output 6
⍝ == output 3 2 1 ¯1 ¯2 ¯3
o←⍬ ⋄ seen←0
evens←{⍵>20000:⍵ ⋄ o,←⍵×2 ⋄ ∇ ⍵+1}
⎕←evens 1
⎕←(≢o),(+/o),seen
collatz←{seen+←1 ⋄ ⍵=1:seen ⋄ 2|⍵:∇ 1+3×⍵ ⋄ ∇ ⍵÷2}
⎕←collatz 27
text←''
say←{⍺≤0:≢text ⋄ text,←(⍕⍵),' ' ⋄ (⍺-1)∇ ⍵+⍺}
⎕←3 say 5
⎕←text
twice←{⍵≤0:0 ⋄ o,←⍵ ⋄ r←∇ ⍵-1 ⋄ o,←-⍵ ⋄ r+⍵}
o←⍬ ⋄ ⎕←twice 3
⎕←o
