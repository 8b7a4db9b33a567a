⍝ An argument is converted to the element type that is claimed, so that the result has the type that was proved.
⍝ == output 4
⍝ == json {"type": "double", "shape": []}
⍝ == output 1
⍝ == json {"type": "int", "shape": []}
⍝ == output 3.5
⍝ == json {"type": "double", "shape": []}
⍝ == output 120
⍝ == json {"type": "int", "shape": []}
⍝ == output 6
⍝ == json {"type": "int", "shape": []}
next ← { ⍝: double → double
    ⍵+1 }
same ← { ⍝: int → int
    ⍵ }
sum ← { ⍝: κ → κ → κ
    ⍺+⍵ }
factorial ← { ⍝: int → int
    ⍵≤1:1
    ⍵×∇⍵-1 }
gcd ← { ⍝: int → int → int
    ⍵=0:⍺
    ⍵∇⍵|⍺ }
next 3
same 2=2
1 sum 2.5
factorial 5
12 gcd 18
