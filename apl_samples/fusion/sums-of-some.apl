⍝ A reduction of chosen elements does not store them: the sum, the count and the greatest of those above zero.
⍝ == structure {loops 1, allocs 0}
⍝ == input v double 5: 1.5 ¯2 3 0 4
⍝ == output 8.5
⍝ == output 3
⍝ == output 4
⍝ == output 8
⎕←+/(v>0)/v
⎕←≢(v>0)/v
⎕←⌈/(v>0)/v
+/⍸v≥3
