⍝ == input v int 3: 0 1 2
⍝ == error 3:4 DOMAIN ERROR: ~ needs zeros and ones
+/~v
