⍝ Monadic ⍴ is the vector of extents: empty for a scalar. One character in quotes is a scalar, none a vector.
⍝ == output
⍝ == output 0
⍝ == output 3
⍝ == output 1
⍝ == output 0
⍝ == output 0
⍝ == output
⍝ == output 2
⍝ == output 2 3
⍝ == output 2
⍝ == output 0 3
⍝ == output 24
⎕←⍴5
⎕←⍴⍴5
⎕←⍴1 2 3
⎕←⍴,5
⎕←⍴⍬
⎕←⍴''
⎕←⍴'a'
⎕←⍴'ab'
⎕←⍴2 3⍴0
⎕←⍴⍴2 3⍴0
⎕←⍴0 3⍴1
⎕←×/⍴2 3 4⍴0
