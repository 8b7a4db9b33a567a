⍝ == error 2:7 SYNTAX ERROR: ] cannot close the (
x←(1 2]+3
