⍝ == error 2:1 SYNTAX ERROR: an inner product needs a left argument
+.×1 2 3
