⍝ A table of which only the sums are wanted is never stored. Its loops exist for a small n of few
⍝ or many numbers, and for any n; the one remainder in each is that of the program.
⍝ == input n int: 12
⍝ == output 5
⍝ == structure {loops 6, allocs 0, modulo 3, branches 0}
+/2=+⌿0=∘.|⍨⍳n
