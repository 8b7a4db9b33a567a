⍝ Constants keep all their digits: the sum of the doubles nearest to 0.1 and 0.2 is 0.30000000000000004.
⍝ == json {"type": "double", "shape": [], "data": [0.30000000000000004]}
⍝ == json {"type": "bool", "shape": [], "data": [true]}
⍝ == json {"type": "bool", "shape": [2], "data": [true, false]}
⍝ == json {"type": "double", "shape": [], "data": [1.7976931348623157e308]}
⍝ == json {"type": "bool", "shape": [], "data": [true]}
⍝ == json {"type": "int", "shape": [], "data": [9007199254740993]}
⎕CT←0
⎕←0.1+0.2
⎕←0.30000000000000004=0.1+0.2
⎕←0.1=0.1 0.10000000000000002
⎕←1.7976931348623157E308
⎕←0<5E¯324
⎕←9007199254740993
