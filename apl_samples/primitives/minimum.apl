⍝ Dyadic ⌊ is the smaller of two.
⍝ == output 3
⍝ == output 1 4 3
⍝ == output ¯2
⍝ == output 2 2.5
⍝ == output 0 1
⍝ == output
⍝ == output 1 2
⍝ == output 3 3
⎕←3⌊5
⎕←1 5 3⌊4
⎕←¯1⌊¯2
⎕←2.5⌊2 3
⎕←(0 1=1)⌊1 1=1
⎕←⍬⌊1
⎕←3⌊2 2⍴⍳4
