⍝ Monadic * is e to the power. A result beyond the doubles is infinite, which is no error; one below them is 0.
⍝ == output 1
⍝ == output 0.3678794412 1 2.718281828
⍝ == output
⍝ == output ∞
⍝ == output 0
⎕←*0
⎕←*¯1 0 1
⎕←*⍬
⎕←*1000
⎕←*¯1000
