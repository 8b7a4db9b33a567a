⍝ == error 2:1 LENGTH ERROR: needs equal lengths
1 2 3{⍺+⍵}¨1 2
