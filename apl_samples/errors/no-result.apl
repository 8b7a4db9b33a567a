⍝ == error 2:7 SYNTAX ERROR: the function has no result
⎕←1 + {} 2
