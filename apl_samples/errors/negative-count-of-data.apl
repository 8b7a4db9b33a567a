⍝ == input v int 3: 1 2 3
⍝ == error 3:4 DOMAIN ERROR: ⍳ needs a count that is not negative, got ¯2
+/ ⍳1-≢v
