⍝ Items that one function reads are made where it reads them: a chain of functions on items is one loop of loops,
⍝ and only the sums are written.
⍝ == input v int 4: 3 1 0 4
⍝ == output 18 4 0 28
⍝ == structure {allocs 1, modulo 0}
+/¨2×{1+⍵}¨⍳¨v
