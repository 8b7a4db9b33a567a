⍝ A mask by which rounds keep elements, and its complement, are bytes that rounds widen, and no matrices of doubles.
⍝ == input f bool 3 4: 1 0 0 1 0 0 0 0 1 0 1 1
⍝ == input m double 3 4: 8 0 0 4 0 0 0 0 1 0 2 6
⍝ == output 8 5 3 4
⍝ == output 4 4 3 4
⍝ == output 1 3 2 6
⍝ == structure {allocs 5}
⎕←⌊0.5+({(f×⍵)+(~f)×0.25×(1⌽⍵)+(¯1⌽⍵)+(1⊖⍵)+¯1⊖⍵}⍣20)m
