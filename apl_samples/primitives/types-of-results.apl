⍝ Division, power and logarithm give doubles, rounding and counting gives integers, comparison booleans, whatever the
⍝ values are.
⍝ == json {"type": "int", "data": [6]}
⍝ == json {"type": "int", "data": [1]}
⍝ == json {"type": "double", "data": [2.0]}
⍝ == json {"type": "double", "data": [8.0]}
⍝ == json {"type": "double", "data": [0.0]}
⍝ == json {"type": "int", "data": [2]}
⍝ == json {"type": "int", "data": [1]}
⍝ == json {"type": "bool", "data": [true]}
⍝ == json {"type": "bool", "data": [false]}
⍝ == json {"type": "bool", "data": [true]}
⍝ == json {"type": "int", "data": [1]}
⍝ == json {"type": "int", "data": [2]}
⍝ == json {"type": "int", "data": [2, 1]}
⍝ == json {"type": "int", "data": [2]}
⍝ == json {"type": "int", "data": [1, 1]}
⍝ == json {"type": "bool", "data": [true, false]}
⍝ == json {"type": "int", "data": [2]}
⍝ == json {"type": "int", "data": [2]}
⍝ == json {"type": "int", "data": [-1]}
⍝ == json {"type": "double", "data": [1.5]}
⍝ == json {"type": "char", "data": "12"}
⍝ == json {"type": "double", "data": [0.0]}
⍝ == json {"type": "double", "data": [9.223372036854776e+18]}
⍝ == json {"type": "int", "data": [9223372036854775807]}
⍝ == json {"type": "bool", "data": [true]}
⍝ == json {"type": "int", "data": [3]}
⍝ == json {"type": "int", "data": [2, 4]}
⎕←×/⍳3
⎕←+/1=1 2
⎕←6÷3
⎕←2*3
⎕←⍟1
⎕←⌊2.5
⎕←×2.5
⎕←1=1
⎕←~1
⎕←'a'∊'ab'
⎕←+/'a'='ab'
⎕←⍸0 1
⎕←⍋2 1.5
⎕←2⊥1 0
⎕←2 2⊤3
⎕←1 2⍷1 2
⎕←≢1.5 2.5
⎕←(1=1)+1=1
⎕←-1=1
⎕←2-0.5
⎕←⍕12
⎕←○0
⎕←9223372036854775808
⎕←9223372036854775807
⎕←'ab'≡'ab'
⎕←1 2⍳5
⎕←6 4∨4
