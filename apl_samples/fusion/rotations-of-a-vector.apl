⍝ A vector that is smoothed by its rotations: none of them is in memory, and the sums are made in one walk.
⍝ == structure {allocs 1}
⍝ == input c double 5: ¯3 12 17 12 ¯3
⍝ == input x double 8: 1 2 4 8 16 32 64 128
⍝ == output 137 274 548 1096 2957 2854 1373 ¯314
+⌿c×[1](¯1+⍳5)⌽⍤0 1⊢x
