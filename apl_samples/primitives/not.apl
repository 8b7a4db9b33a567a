⍝ Monadic ~ takes zeros and ones, of whatever type.
⍝ == input i int 2: 0 1
⍝ == input d double 2: 1 0
⍝ == json {"type": "bool", "shape": [], "data": [false]}
⍝ == json {"type": "bool", "shape": [3], "data": [true, false, true]}
⍝ == json {"type": "bool", "shape": [3], "data": [false, true, true]}
⍝ == json {"type": "bool", "shape": [0], "data": []}
⍝ == json {"type": "bool", "shape": [2, 2], "data": [false, true, true, false]}
⍝ == json {"type": "bool", "shape": [2], "data": [true, false]}
⍝ == json {"type": "bool", "shape": [2], "data": [false, true]}
⎕←~1
⎕←~0 1 0
⎕←~2>1 2 3
⎕←~⍬
⎕←~2 2⍴1 0 0 1
⎕←~i
⎕←~d
