⍝ Places among constants are found in 32 bits where what is searched for has no more; not where the constants have.
⍝ == input t char 12: 'hello, wörld'
⍝ == input n int 6: 3 ¯2147483648 2147483647 9000000000 0 4294967299
⍝ == case a text and numbers of any size
⍝ == output khoorddzduog
⍝ == output 17 15 17 17 17 17 17 17 17 17 17 14
⍝ == output 2 6 6 6 6 6
⍝ == output 3 6 6 6 6 6
⍝ == output 6 6 6 6 6 6
⍝ == output 21 21 8 21 21 21
⍝ == output 21 8 21 21 21 21
a←'abcdefghijklmnopqrstuvwxyz'
⎕←a[1+26|3+¯1+a⍳t]
⎕←'0123456789abcdef'⍳t
⎕←(1+2×⍳5)⍳n+2
⎕←(⍳5)⍳n
⎕←(2147483640+⍳5)⍳n
⎕←(2147483639+⍳20)⍳n
⎕←(2147483639+⍳20)⍳¯2147483648⌈2147483647⌊-n
