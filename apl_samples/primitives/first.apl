⍝ Monadic ⊃ is the first element in row-major order; of an empty array its fill: 0 or a blank.
⍝ == input e double 0:
⍝ == input v double 2: 2.5 3
⍝ == output 1
⍝ == output 5
⍝ == output 0
⍝ == output 1
⍝ == output 5
⍝ == output
⍝ == output 0
⍝ == output 0
⍝ == output 0 2.5
⎕←⊃1 2 3
⎕←⊃5
⎕←⊃⍬
⎕←' '=⊃''
⎕←⊃2 2⍴5 6 7 8
⎕←⍴⊃1 2 3
⎕←⊃0 3⍴1.5
⎕←⊃0⍴1=1
⎕←(⊃e),⊃v
