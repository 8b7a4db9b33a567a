⍝ == input a double 2 3: 3 2 1 2 1 1
⍝ == error 3:3 LENGTH ERROR: ⌹
+/⌹a
