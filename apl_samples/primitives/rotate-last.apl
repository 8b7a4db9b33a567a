⍝ Dyadic ⌽ moves n elements from the front of the last axis to its end; a negative n the other way. n counts
⍝ modulo the length: 5⌽1 2 3 is 2⌽1 2 3, and ¯5⌽1 2 3 is 1⌽1 2 3.
⍝ == output 2 3 1
⍝ == output 3 1 2
⍝ == output 1 2 3
⍝ == output 3 1 2
⍝ == output 2 3 1
⍝ == output
⍝ == output 7
⍝ == output 2 3 1
⍝ == output 5 6 4
⍝ == output 2 3 1
⍝ == output bca
⍝ == output 2 1
⍝ == output 4 3
⍝ == output
⍝ == output 6 5
⍝ == output 8 7
⎕←1⌽1 2 3
⎕←¯1⌽1 2 3
⎕←0⌽1 2 3
⎕←5⌽1 2 3
⎕←¯5⌽1 2 3
⎕←3⌽⍬
⎕←2⌽7
⎕←1⌽2 3⍴⍳6
⎕←(,1)⌽1 2 3
⎕←1⌽'abc'
⎕←1⌽2 2 2⍴⍳8
