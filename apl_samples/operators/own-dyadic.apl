⍝ Operators of one's own with two operands, functions or arrays.
⍝ == input v double 3: ¯1 2 ¯4
⍝ == output 9.75
⍝ == output 25
⍝ == output 1 2 4
⍝ == output 13
⍝ == output ¯4 8 ¯16
⍝ == output 1 1 0
⍝ == output 1 0 1
⍝ == output 6 2 4
and←{⍺ ⍺⍺ ⍵⍵ ⍵}
over←{(⍵⍵ ⍺)⍺⍺ ⍵⍵ ⍵}
if←{⍵⍵ ⍵:⍺⍺ ⍵ ⋄ ⍵}
times←{⍺⍺⍣⍵⍵⊢⍵}
between←{(⍺⍺≤⍵)∧⍵≤⍵⍵}
⎕←10(-and÷)4
⎕←3(+over{⍵*2})4
⎕←(-if{⍵<0})¨v
⎕←({⍵+1}times 3)10
⎕←({⍵×2}times(1+1))v
⎕←(¯2 between 2)v
⎕←(v between 5)0
⎕←2(⌽and(2∘×))1 2 3
