⍝ Monadic ○ is π times the argument.
⍝ == input v double 2: 0.5 ¯3
⍝ == output 3.141592654
⍝ == output 0 1.570796327 ¯6.283185307
⍝ == output
⍝ == output 3.141592654 0
⍝ == output  3.141592654
⍝ == output 12.56637061
⍝ == output 1.570796327 ¯9.424777961
⎕←○1
⎕←○0 0.5 ¯2
⎕←○⍬
⎕←○1=1 0
⎕←○2 1⍴1 4
⎕←○v
