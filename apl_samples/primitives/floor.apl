⍝ Monadic ⌊ is the greatest integer that is not above the argument: towards the left on the number line.
⍝ What is within ⎕CT of a whole number is that number: 0.29×100 is a bit less than 29 in binary.
⍝ == json {"type": "int", "shape": [4], "data": [2, -3, -2, 0]}
⍝ == json {"type": "int", "shape": [], "data": [-1]}
⍝ == json {"type": "int", "shape": [2, 2], "data": [0, 1, 2, 3]}
⍝ == json {"type": "int", "shape": [0], "data": []}
⍝ == json {"type": "int", "shape": [], "data": [29]}
⍝ == json {"type": "int", "shape": [3], "data": [1, 2, 3]}
⎕←⌊2.9 ¯2.1 ¯2 0.5
⎕←⌊¯0.5
⎕←⌊2 2⍴0.5 1.5 2.5 3.5
⎕←⌊⍬
⎕←⌊0.29×100
⎕←⌊⍳3
