⍝ Dyadic +. Integers have 64 bits and wrap around, as two's complement does; a boolean counts as an integer.
⍝ == output 3
⍝ == output 11 12 13
⍝ == output 11 12 13
⍝ == output 1.5 3
⍝ == output 2 1
⍝ == output
⍝ == output 11 12
⍝ == output 13 14
⍝ == output 11 22
⍝ == output 33 44
⍝ == output 2 3
⍝ == output
⍝ == output 4 5
⍝ == output ¯9223372036854775808
⎕←1+2
⎕←1 2 3+10
⎕←10+1 2 3
⎕←1 2+0.5 1
⎕←(1 2=1 2)+1 0=1 1
⎕←1+⍬
⎕←(2 2⍴⍳4)+10
⎕←(2 2⍴⍳4)+2 2⍴10×⍳4
⎕←1+2 1 2⍴⍳4
⎕←9223372036854775807+1
