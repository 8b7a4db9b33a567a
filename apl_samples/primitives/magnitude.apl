⍝ Monadic | is the absolute value, of the type of its argument.
⍝ == output 3 0 3
⍝ == output 2.5
⍝ == output
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 0 1
⎕←|¯3 0 3
⎕←|¯2.5
⎕←|⍬
⎕←|2 2⍴¯1 2 ¯3 4
⎕←|1=0 1
