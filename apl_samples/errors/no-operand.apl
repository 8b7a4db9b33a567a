⍝ == error 2:3 SYNTAX ERROR: the operator / needs an operand on its left
x←/1 2 3
