⍝ A strand of arrays is one level deeper than the deepest of them; the depth is negative if they differ in depth.
⍝ == input v double 3: 1 2 3
⍝ == output 2
⍝ == output 2
⍝ == output ¯2
⍝ == output ¯2
⍝ == output 3
⍝ == output 2
⎕←≡(1 2)(3 4)
⎕←≡(1 2)'abc'
⎕←≡(1 2)3
⎕←≡v 5
⎕←≢(1 2)(3 4)5
⎕←≢v v
