⍝ Digits of numbers and numbers of digits; other bases; rounding.
⍝ == input n int: 9075
⍝ == input x double 3: 2.345 ¯1.5 0.05
⍝ == output 0 0 0 0 0 0 9 0 7 5
⍝ == output 9 0 7 5
⍝ == output 9075
⍝ == output 21
⍝ == output 5 7 0 9
⍝ == output 4
⍝ == output 5709
⍝ == output 0 0 0 0 0 1 0 1
⍝ == output 5
⍝ == output 0 0 0
⍝ == output 0 0 1
⍝ == output 0 1 0
⍝ == output 0 1 1
⍝ == output 1 0 0
⍝ == output 1 0 1
⍝ == output 1 1 0
⍝ == output 1 1 1
⍝ == output 2 31 15
⍝ == output 9075
⍝ == output 2 31 15
⍝ == output 2 0.75
⍝ == output 2 ¯1 0
⍝ == output 1.24 2
⍝ == output 0.345 0.5 0.05
⍝ == output 2 ¯1 0
⍝ == output 4
⎕←(10⍴10)⊤n
⎕←(4⍴10)⊤n
⎕←10⊥9 0 7 5
⎕←+/(10⍴10)⊤n
⎕←10|⌊n÷10*¯1+⍳4
⎕←1+⌊10⍟n
⎕←10⊥⌽(4⍴10)⊤n
⎕←(8⍴2)⊤5
⎕←2⊥1 0 1
⎕←⍉2 2 2⊤¯1+⍳8
⎕←0 60 60⊤n
⎕←60⊥2 31 15
⎕←24 60 60⊤n
⎕←0 1⊤2.75
⎕←⌊0.5+x
⎕←0.01×⌊0.5+100×1.239 2
⎕←1|x
⎕←(×x)×⌊|x
⎕←≢⍕n
