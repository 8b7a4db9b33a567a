⍝ Monadic + is the conjugate, which of a real number is the number.
⍝ == output 5
⍝ == output ¯2.5
⍝ == output 0 1
⍝ == output
⍝ == output 1 2
⍝ == output 3 4
⎕←+5
⎕←+¯2.5
⎕←+0 1
⎕←+⍬
⎕←+2 2⍴⍳4
