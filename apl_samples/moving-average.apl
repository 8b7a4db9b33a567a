⍝ Averages over windows of three, by rotation and by dropping.
⍝ == input v double 6: 1 2 6 4 2 9
⍝ == output 3 4 4 5
⍝ == output 3 4 4 5
⍝ == output 1.5 4 5 3 5.5
⍝ == structure {modulo 0, branches 0}
⎕←¯2↓(v+(1⌽v)+2⌽v)÷3
⎕←((2↓v)+(1↓¯1↓v)+¯2↓v)÷3
⎕←{(1↓⍵+¯1⌽⍵)÷2}v
