⍝ Dyadic ⌈ is the larger of two; an int and a double give a double.
⍝ == output 5
⍝ == output 4 5 4
⍝ == output ¯1
⍝ == output 2.5 3
⍝ == output 1 1
⍝ == output
⍝ == output 3 3
⍝ == output 3 4
⎕←3⌈5
⎕←1 5 3⌈4
⎕←¯1⌈¯2
⎕←2.5⌈2 3
⎕←(0 1=1)⌈1 1=1
⎕←⍬⌈1
⎕←3⌈2 2⍴⍳4
