⍝ Monadic ⍟ is the logarithm to the base e.
⍝ == output 0
⍝ == output 2.302585093
⍝ == output 0 0.6931471806
⍝ == output
⍝ == output 2
⎕←⍟1
⎕←⍟10
⎕←⍟1 2
⎕←⍟⍬
⎕←⍟*2
