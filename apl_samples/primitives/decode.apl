⍝ Dyadic ⊥ is the value of digits in a number system: 24 60 60⊥1 2 3 is 3+60×2+60×1, so the first radix does not
⍝ count. A single radix or digit is repeated, and so is an axis of length 1.
⍝ == input v int 3: 1 2 3
⍝ == input r int 3: 24 60 60
⍝ == input x double: 0.5
⍝ == input m int 2 3: 1 2 3 4 5 6
⍝ == input e int 0:
⍝ == output 5
⍝ == output 123
⍝ == output 3723
⍝ == output 1563
⍝ == output 5
⍝ == output 5
⍝ == output 0
⍝ == output 0
⍝ == output 7
⍝ == output 1.75
⍝ == output 3
⍝ == output 6
⍝ == output 17
⍝ == output 5
⍝ == output 123
⍝ == output 3723
⍝ == output 4.25
⍝ == output 14 25 36
⍝ == output 0
⎕←2⊥1 0 1
⎕←10⊥1 2 3
⎕←24 60 60⊥1 2 3
⎕←0 24 60⊥1 2 3
⎕←(,2)⊥1 0 1
⎕←2⊥5
⎕←2⊥⍬
⎕←⍬⊥⍬
⎕←2 2 2⊥1
⎕←0.5⊥1 1 1
⎕←¯2⊥1 1 1
⎕←1⊥1 2 3
⎕←10⊥1.5 2
⎕←2⊥1=1 0 1
⎕←10⊥v
⎕←r⊥v
⎕←x⊥v
⎕←10⊥m
⎕←10⊥e
