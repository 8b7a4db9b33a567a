⍝ == error 2:2 SYNTAX ERROR: there is nothing to assign
x←
