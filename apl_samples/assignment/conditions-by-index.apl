⍝ An array of conditions stays one where 0 or 1 is written to some elements; another number makes integers of all.
⍝ == input i int 2: 2 4
⍝ == output 1 0 1 0 1
⍝ == json {"type": "bool", "shape": [5]}
⍝ == output 1 3 5
⍝ == json {"type": "int", "shape": [3]}
⍝ == output 1 7 1 7 1
⍝ == json {"type": "int", "shape": [5]}
s←5⍴1=1
s[i]←0
⎕←s
⎕←⍸s
s[i]←7
⎕←s
