⍝ Signal processing after the APEX suite: the clipped, scaled differences of a signal, summed.
⍝ == output ¯27.870466
⍝ == structure {loops 0, allocs 0}
diff   ← {1↓⍵-¯1⌽⍵}
signal ← {¯50⌈50⌊50×(diff 0,⍵)÷0.01+⍵}
+/ signal 9 8 6 8 7 4 4 3 2 2 1 2 4 5 6
