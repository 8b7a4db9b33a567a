⍝ == error 2:1 SYNTAX ERROR: ⍺ has a meaning inside braces only
⍺+1
