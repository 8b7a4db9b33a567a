⍝ A polynomial at each point, and the distance to the nearest coefficient. The points run in lanes, many at a time, in loops over
⍝ the coefficients. Horner's rule has no lanes of its own: the points that are left take a strip too; for the distances they
⍝ take plain loops. Nothing is stored.
⍝ == input x double 70: arange
⍝ == input c double 3: 2 0 1
⍝ == output 223860
⍝ == output 2278
⍝ == structure {loops 17, simd 12, allocs 0, modulo 0, branches 0}
⎕←+/{⍵⊥c}¨x
⎕←+/{⌊/|⍵-c}¨x
