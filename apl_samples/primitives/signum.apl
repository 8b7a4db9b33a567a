⍝ Monadic × is the sign: ¯1, 0 or 1, an integer whatever the argument is.
⍝ == json {"type": "int", "shape": [], "data": [-1]}
⍝ == json {"type": "int", "shape": [3], "data": [-1, 0, 1]}
⍝ == json {"type": "int", "shape": [4], "data": [-1, 0, 0, 1]}
⍝ == json {"type": "int", "shape": [0], "data": []}
⍝ == json {"type": "int", "shape": [2, 2], "data": [1, 0, -1, 1]}
⍝ == json {"type": "int", "shape": [2], "data": [1, 0]}
⎕←×¯7
⎕←×¯7 0 7
⎕←×¯0.5 0 ¯0.0 1e¯300
⎕←×⍬
⎕←×2 2⍴1 0 ¯1 5
⎕←×1=1 2
