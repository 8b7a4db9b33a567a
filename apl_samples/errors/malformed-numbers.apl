⍝ All mistakes of a text are reported together, in their order.
⍝ == error 6:1 SYNTAX ERROR: 1.2.3 is not a number
⍝ == error 7:3 SYNTAX ERROR: 2¯1 is not a number
⍝ == error 7:7 SYNTAX ERROR: 1e is not a number
⍝ == error 8:1 SYNTAX ERROR: 3J4J5 is not a number
1.2.3
1 2¯1 1e
3J4J5
