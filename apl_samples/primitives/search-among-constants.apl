⍝ Among constants that are close together the place of an element follows from the element, or stands in a table; no table is
⍝ made when the program runs. Equal keys, the ends of a run, and what lies far outside. Only the last
⍝ keys are too far apart: six allocations of what is printed, and one of a table.
⍝ == input t char 10: 'azAZ` {b€5'
⍝ == input x int 9: 0 1 12 13 100 ¯1 9223372036854775807 ¯9223372036854775808 42
⍝ == output 1 26 27 27 27 27 27 2 27 27
⍝ == output 0 0 1 1 0 0 0 0 0 1
⍝ == output 2 13 13 13 13 11 13 3 13 13
⍝ == output 13 1 12 13 13 13 13 13 13
⍝ == output 10 2 11 11 11 3 11 11 9
⍝ == output 1 1 0 0 0 0 1 0 1
⍝ == structure {allocs 6, checks 8}
⎕←'abcdefghijklmnopqrstuvwxyz'⍳t
⎕←t∊⎕A,⎕D
⎕←'xabracadab c'⍳t
⎕←(⍳12)⍳x
⎕←3 1 ¯1 5 1 6 7 8 42 0⍳x
⎕←x∊9223372036854775807 9223372036854775806 9223372036854775805 0 1 2 3 4 5 6 42
