⍝ == error 2:3 SYNTAX ERROR: ; stands between the indices in [ ] only
(1;2)
