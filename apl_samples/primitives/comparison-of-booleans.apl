⍝ On booleans comparisons are logic: ≤ is the implication, < says that only the right one holds. Their results count
⍝ as numbers.
⍝ == json {"type": "bool", "shape": [4], "data": [true, true, false, true]}
⍝ == json {"type": "bool", "shape": [4], "data": [false, true, false, false]}
⍝ == json {"type": "bool", "shape": [4], "data": [true, false, false, true]}
⍝ == json {"type": "int", "shape": [], "data": [3]}
⍝ == json {"type": "int", "shape": [4], "data": [0, 1, 1, 2]}
⍝ == json {"type": "int", "shape": [4], "data": [0, -1, 0, 0]}
⍝ == json {"type": "int", "shape": [2], "data": [0, 2]}
a←0 0 1 1=1 ⋄ b←0 1 0 1=1
⎕←a≤b
⎕←a<b
⎕←a=b
⎕←+/a≤b
⎕←a+b
⎕←a-a∨b≠a        ⍝ a∨b≠a is a∨b
⎕←2×1 2=2
