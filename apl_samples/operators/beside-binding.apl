⍝ ∘ between functions, and with an array on either side, inside other operators.
⍝ == input v double 3: 1 2 4
⍝ == input m int 2 3: 1 2 3 4 5 6
⍝ == output 21
⍝ == output 4 1
⍝ == output 5 2
⍝ == output 6 3
⍝ == output 3 6
⍝ == output 2 5
⍝ == output 1 4
⍝ == output 6
⍝ == output 2 4 8
⍝ == output 1 4 16
⍝ == output 2 1.5 1.25
⍝ == output 4 6 10
⍝ == output 9 19.5 29.75
⍝ == output 14
⍝ == output 12
⍝ == output 8
⍝ == output 1 2
⍝ == output ¯1 ¯2
⍝ == output ¯2 ¯4
⍝ == output ¯4 ¯8
⍝ == output 0 0 1
⍝ == output 0 1 0
⍝ == output 1 0 0
⎕←+/∘,m
⎕←⌽∘⍉m
⎕←⍉∘⌽m
⎕←×/∘⍴m
⎕←2∘×¨v
⎕←*∘2¨v
⎕←1∘+∘÷v
⎕←(2∘×∘(1∘+))v
⎕←10 20 30(-∘÷)v
⎕←2+.×∘⌽v
⎕←v+.×∘⌽v
⎕←(×∘2⍣3)1
⎕←2∘↑v
⎕←v∘.{⍺×⍵}∘-1 2
⎕←(∘.=∘⌽⍨⍳3)
