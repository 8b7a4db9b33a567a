⍝ The message offers the nearest name.
⍝ == error 4:7 VALUE ERROR: totl is not defined; did you mean total?
total←5
1+2×  totl
