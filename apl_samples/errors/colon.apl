⍝ == error 2:2 SYNTAX ERROR: a colon outside braces
x:5
