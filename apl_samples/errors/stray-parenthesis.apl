⍝ == error 2:7 SYNTAX ERROR: stray )
x←1+2 ) ⋄ x
