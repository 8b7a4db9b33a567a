⍝ == input n int 2: 3 ¯3
⍝ == error 3:3 DOMAIN ERROR: !
+/!n
