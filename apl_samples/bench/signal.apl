⍝ The sum of the clipped, scaled differences of a signal, after the APEX suite: example 3.1 of the thesis. The function
⍝ that is measured is total.
⍝ == output ¯28.751702771
⍝ == output 0
⍝ == structure {loops 1, simd 1, allocs 0, modulo 0, branches 0}
diff   ← {1↓⍵-¯1⌽⍵}
signal ← {¯50⌈50⌊50×(diff 0,⍵)÷0.01+⍵}
total  ← {+/signal ⍵}
⎕←total 9 8 6 8 7 4 4 3 2 2 1 2 4 5 6 9 8 6 8 7
⎕←total 0⍴0.5
