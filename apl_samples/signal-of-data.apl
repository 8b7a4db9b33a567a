⍝ The signal program on a vector that only the run knows. The differences of an empty signal are none.
⍝ == case the signal of the example
⍝ == input v double 15: 9 8 6 8 7 4 4 3 2 2 1 2 4 5 6
⍝ == output ¯27.870466
⍝ == case one element: 50×9÷9.01
⍝ == input v double 1: 9
⍝ == output 49.94450610432852
⍝ == case clipped on both sides: 49.94… ¯50 50 50
⍝ == input v double 4: 9 0 ¯1 0
⍝ == output 99.94450610432852
⍝ == case empty
⍝ == input v double 0:
⍝ == output 0
⍝ == structure {loops 1, simd 1, allocs 0, modulo 0, branches 0}
diff   ← {1↓⍵-¯1⌽⍵}
signal ← {¯50⌈50⌊50×(diff 0,⍵)÷0.01+⍵}
+/ signal v
