⍝ Dyadic * gives doubles; 0*0 is 1; it takes all that stands right of it, so 2*3*2 is 2*9.
⍝ == output 1024
⍝ == output 1.414213562
⍝ == output 1 0
⍝ == output 0.25
⍝ == output 2 4 8 16 32
⍝ == output 1 4 9
⍝ == output ¯8 4
⍝ == output 0.001
⍝ == output 512
⍝ == output
⍝ == output 1  2
⍝ == output 4 16
⎕←2*10
⎕←2*0.5
⎕←0*0 2
⎕←4*¯1
⎕←2*⍳5
⎕←1 2 3*2
⎕←¯2*3 2
⎕←10*¯3
⎕←2*3*2
⎕←2*⍬
⎕←2*2 2⍴0 1 2 4
