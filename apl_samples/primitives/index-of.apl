⍝ Dyadic ⍳ is the first position in the vector on its left, counted from 1, or one past its end.
⍝ == input v int 4: 4 7 4 9
⍝ == output 2
⍝ == output 4
⍝ == output 3 1 4
⍝ == output 1
⍝ == output 1
⍝ == output
⍝ == output 2 1
⍝ == output 3 2
⍝ == output 1
⍝ == output 3 4
⍝ == output 1 2 1 4
⍝ == output 5 2
⎕←10 20 30⍳20
⎕←10 20 30⍳25
⎕←'abc'⍳'cad'
⎕←1 1 2⍳1
⎕←⍬⍳5
⎕←1 2 3⍳⍬
⎕←10 20⍳2 2⍴20 10 30 20
⎕←1 2⍳1.0
⎕←1 2.5 3⍳3 ¯3
⎕←v⍳v
⎕←v⍳5 7
