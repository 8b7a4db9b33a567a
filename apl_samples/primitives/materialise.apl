⍝ Monadic ⌷ is its argument, written to memory.
⍝ == input v double 3: 1 2 3
⍝ == output 5
⍝ == output 1 2 3
⍝ == output ab
⍝ == output
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 12
⍝ == output 8 9 8
⍝ == output 1
⎕←⌷5
⎕←⌷1 2 3
⎕←⌷'ab'
⎕←⌷⍬
⎕←⌷2 2⍴⍳4
⎕←+/⌷2×v
⎕←{⍵×⌽⍵}⌷v+1
⎕←(⌷v)≡v
