⍝ == error 2:3 DOMAIN ERROR: ⍳ needs a count that is not negative, got ¯1
+/⍳¯1
