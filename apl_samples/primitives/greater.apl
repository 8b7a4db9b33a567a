⍝ Dyadic >. In 3>2>1 the right comparison comes first: 3>1 is 1.
⍝ == output 0 0 1
⍝ == output 0
⍝ == output 1 0
⍝ == output 1
⍝ == output
⎕←1 2 3>2
⎕←¯1.5>¯1
⎕←1 0>0
⎕←3>2>1
⎕←⍬>⍬
