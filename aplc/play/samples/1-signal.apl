⍝ Signal processing
⍝ The clipped, scaled differences of a signal: one loop, whatever its length.
diff   ← {1↓⍵-¯1⌽⍵}
signal ← {¯50⌈50⌊50×(diff 0,⍵)÷0.01+⍵}
v ← 3+(1○0.05×⍳200)+0.2×1○0.9×⍳200
v
+/signal v
