⍝ Dyadic ∨ is the logical or; of integers the greatest common divisor, which is not negative.
⍝ == output 0 1 1 1
⍝ == output 6
⍝ == output 5 0
⍝ == output 2
⍝ == output 1 1 1 1 1 1 7 1
⍝ == output 1 1
⍝ == output
⎕←0 0 1 1∨0 1 0 1
⎕←12∨18
⎕←0∨5 0
⎕←¯4∨6
⎕←7∨⍳8
⎕←(1=1)∨1 2=1
⎕←⍬∨1
