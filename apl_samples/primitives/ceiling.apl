⍝ Monadic ⌈ is the least integer that is not below the argument: towards the right on the number line.
⍝ == json {"type": "int", "shape": [5], "data": [3, -2, 2, 0, 0]}
⍝ == json {"type": "int", "shape": [], "data": [7]}
⍝ == json {"type": "int", "shape": [], "data": [1000000000000000000]}
⍝ == json {"type": "int", "shape": [0], "data": []}
⍝ == json {"type": "int", "shape": [0], "data": []}
⍝ == json {"type": "int", "shape": [2, 2], "data": [1, 2, 3, -1]}
⎕←⌈2.1 ¯2.1 2 ¯0.5 0
⎕←⌈7
⎕←⌈1e18
⎕←⌈⍬
⎕←⌈0⍴0.5
⎕←⌈2 2⍴0.5 1.5 2.5 ¯1.5
