⍝ f⍣b with a boolean is: f, if b.
⍝ == input v int 3: 3 1 2
⍝ == case no
⍝ == input b bool: 0
⍝ == output 3 1 2
⍝ == output ¯5
⍝ == output 2.5
⍝ == case yes
⍝ == input b bool: 1
⍝ == output 2 1 3
⍝ == output 5
⍝ == output 2
⎕←(⌽⍣b)v
⎕←(|⍣b)¯5
⎕←(⌊⍣b)2.5
