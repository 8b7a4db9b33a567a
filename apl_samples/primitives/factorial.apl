⍝ Monadic ! is the factorial, and the gamma function of one more elsewhere: !0.5 is half the root of π. A result
⍝ beyond the doubles is infinite, as with *.
⍝ == input n int 3: 0 3 5
⍝ == input x double 2: 0.5 2
⍝ == output 120
⍝ == output 1 1 2 6
⍝ == output 0.8862269255 1.772453851
⍝ == output ¯3.544907702
⍝ == output 1 1
⍝ == output 1  2
⍝ == output 6 24
⍝ == output
⍝ == output 7.257415615E306
⍝ == output ∞
⍝ == output 1 6 120
⍝ == output 0.8862269255 2
⎕←!5
⎕←!0 1 2 3
⎕←!0.5 ¯0.5
⎕←!¯1.5
⎕←!1=1 0
⎕←!2 2⍴⍳4
⎕←!⍬
⎕←!170
⎕←!171
⎕←!n
⎕←!x
