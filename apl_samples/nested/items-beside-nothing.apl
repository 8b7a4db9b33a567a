⍝ An enclosed item beside a vector that is known to have no elements: there are no items, and their kind is known.
⍝ == output 0
⍝ == output 0
⍝ == output 1
⍝ == output  4 5 
⍝ == output 0
≢⍬+¨⊂1 2
≢(⊂1 2)×⍬
''≡⊃''{⍺,⍵}¨⊂'ab'
(⍬+¨⊂1 2),⊂4 5
≢⍬{⍺ ⍵}¨⊂1(2 3)
