⍝ Dyadic ⍳ looks up an array of any rank; a character is not found among numbers, nor a number among characters.
⍝ == input v double 3: 0.5 1 0.5
⍝ == input m int 2 2: 1 9 2 2
⍝ == output 3 1 2
⍝ == output 4 2 1
⍝ == output 4 4
⍝ == output 3 3
⍝ == output 1
⍝ == output 1 1
⍝ == output 1 1
⍝ == output 2 2 2
⍝ == output 2 1 3
⍝ == output 2 4
⍝ == output 4 4
⍝ == output 1 2 1
⎕←'abc'⍳2 3⍴'cabxba'
⎕←1 2 3⍳'ab'
⎕←'ab'⍳1 2
⎕←(,5)⍳5
⎕←⍬⍳2 2⍴1
⎕←1 2⍳0 3⍴0
⎕←⍴1 2⍳2 2 2⍴1
⎕←(1=1 0)⍳0 1 2
⎕←v⍳m
⎕←v⍳v
