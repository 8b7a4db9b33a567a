⍝ Inputs of narrower types count as int, double, bool and char.
⍝ == input a int8 3: ¯1 2 127
⍝ == input b uint8 3: 255 0 1
⍝ == input c float32 2: 0.5 1.25
⍝ == input d bool 2 2: 1 0 1 1
⍝ == input t char 3: 'abc'
⍝ == input s double: 2.5
⍝ == json {"type": "int", "shape": [3], "data": [254, 2, 128]}
⍝ == json {"type": "int", "shape": [], "data": [256]}
⍝ == json {"type": "double", "shape": [2], "data": [3.0, 3.75]}
⍝ == json {"type": "int", "shape": [2], "data": [1, 2]}
⍝ == json {"type": "char", "shape": [3], "data": "cba"}
⍝ == json {"type": "int", "shape": [], "data": [254]}
⎕←a+b
⎕←+/b
⎕←c+s
⎕←+/d
⎕←⌽t
⎕←2×⌈/a
