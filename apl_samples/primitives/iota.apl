⍝ Monadic ⍳ counts from 1. A vector of one element and a whole double will do as the count.
⍝ == output 1 2 3 4 5
⍝ == output
⍝ == output 0
⍝ == output 1
⍝ == output 1
⍝ == output 1 2 3
⍝ == output 1 2 3
⍝ == output 5050
⎕←⍳5
⎕←⍳0
⎕←⍴⍳0
⎕←⍳1
⎕←⍴⍳1
⎕←⍳,3
⎕←⍳3.0
⎕←+/⍳100
