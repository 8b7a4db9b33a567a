⍝ == output 0 1 1
⍝ == output 0 1
⍝ == output 1
⍝ == output
⎕←1 2 3≥2
⎕←¯1.5 ¯1≥¯1
⎕←1≥0
⎕←⍬≥2
