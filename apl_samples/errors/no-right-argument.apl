⍝ == error 2:4 SYNTAX ERROR: the function has no right argument
1 2+
