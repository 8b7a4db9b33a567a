⍝ Monadic ⍪ makes a matrix: the first axis stays, the others become one.
⍝ == input v double 2: 2.5 3
⍝ == input c int 2 1 2: 1 2 3 4
⍝ == output 1
⍝ == output 2
⍝ == output 3
⍝ == output 1 1
⍝ == output 0 1
⍝ == output a
⍝ == output b
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 1 2 3 4
⍝ == output 5 6 7 8
⍝ == output 0 6
⍝ == output 2 0
⍝ == output 2.5
⍝ == output 3
⍝ == output 1 2
⍝ == output 3 4
⎕←⍪1 2 3
⎕←⍴⍪5
⎕←⍴⍪⍬
⎕←⍪'ab'
⎕←⍪2 2⍴⍳4
⎕←⍪2 2 2⍴⍳8
⎕←⍴⍪0 3 2⍴0
⎕←⍴⍪2 0 3⍴0
⎕←⍪v
⎕←⍪c
