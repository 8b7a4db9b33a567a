⍝ Monadic ≢ is the length of the first axis; a scalar has one item.
⍝ == input v double 4: arange
⍝ == input s double: 1
⍝ == output 3
⍝ == output 1
⍝ == output 0
⍝ == output 3
⍝ == output 0
⍝ == output 3
⍝ == output 2
⍝ == output 4 1
⎕←≢1 2 3
⎕←≢5
⎕←≢⍬
⎕←≢3 4⍴0
⎕←≢0 4⍴0
⎕←≢'abc'
⎕←≢2 3 4⍴0
⎕←(≢v),≢s
