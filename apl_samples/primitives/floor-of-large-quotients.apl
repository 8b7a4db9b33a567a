⍝ The floor of a quotient of integers is that of the doubles: within a tolerance of 1E¯14 a quotient is the whole number above it,
⍝ which it can only be from 1E14 on. Between them, quotients are those of integers, on both sides of zero.
⍝ == input v int 8: 7 ¯7 70368744177663 ¯70368744177663 70368744177665 ¯70368744177667 300000000000001 299999999999999
⍝ == output 3 ¯4 35184372088831 ¯35184372088832 35184372088832 ¯35184372088834 150000000000001 150000000000000
⍝ == output 2 ¯3 23456248059221 ¯23456248059221 23456248059221 ¯23456248059223 100000000000000 100000000000000
⍝ == output 3 1 3 1 1 1 1 3
⎕←⌊v÷2
⎕←⌊v÷3
⎕←4|v
