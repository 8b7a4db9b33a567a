⍝ == error 2:1 SYNTAX ERROR: a constant cannot be assigned to
5←3
