⍝ Dyadic = compares numbers of any type, and characters; a character equals no number.
⍝ Doubles are equal within ⎕CT, which is 1E¯14: the sum of those nearest to 0.1 and 0.2 is not the one nearest to 0.3.
⍝ == json {"type": "bool", "shape": [], "data": [true]}
⍝ == json {"type": "bool", "shape": [3], "data": [false, true, false]}
⍝ == json {"type": "bool", "shape": [3], "data": [true, false, false]}
⍝ == json {"type": "bool", "shape": [], "data": [false]}
⍝ == json {"type": "bool", "shape": [2], "data": [false, false]}
⍝ == json {"type": "bool", "shape": [], "data": [true]}
⍝ == json {"type": "bool", "shape": [0], "data": []}
⍝ == json {"type": "bool", "shape": [3], "data": [true, true, false]}
⍝ == json {"type": "bool", "shape": [], "data": [true]}
⍝ == json {"type": "bool", "shape": [0], "data": []}
⍝ == json {"type": "bool", "shape": [2, 2], "data": [true, false, true, false]}
⍝ == json {"type": "bool", "shape": [2], "data": [true, false]}
⎕←1=1
⎕←1 2 3=3 2 1
⎕←'a'='abc'
⎕←'a'=1
⎕←'ab'=1 2
⎕←2=2.0
⎕←⍬=1
⎕←'abc'='abd'
⎕←0.3=0.1+0.2
⎕←'a'=''
⎕←(2 2⍴⍳4)=2 2⍴1 0 3 0
⎕←1=1 2=1 1
