⍝ == error 2:5 SYNTAX ERROR: unknown character §
1+2 § 3
