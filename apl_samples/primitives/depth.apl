⍝ Monadic ≡ is 0 for a scalar and 1 for an array of scalars, empty or not.
⍝ == input v double 0:
⍝ == output 0
⍝ == output 0
⍝ == output 1
⍝ == output 1
⍝ == output 1
⍝ == output 1
⍝ == output 1
⍝ == output 1
⎕←≡5
⎕←≡'a'
⎕←≡1 2
⎕←≡,5
⎕←≡⍬
⎕←≡'ab'
⎕←≡2 2⍴0
⎕←≡v
