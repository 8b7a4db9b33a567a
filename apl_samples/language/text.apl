⍝ Text in either quote; a quote is doubled inside its own kind. One character is a scalar, any other number a vector.
⍝ == output it's
⍝ == output say "ah"
⍝ == output it's
⍝ == output say "ah"
⍝ == output a
⍝ == output 0
⍝ == output 1
⍝ == output 0
⍝ == output ⍺≠'⍵'
⍝ == output 日本 ok
⍝ == output 5
⍝ == output 1 0
⍝ == output ⋄ ⍝ no end, no comment
⎕←'it''s'
⎕←'say "ah"'
⎕←"it's"
⎕←"say ""ah"""
⎕←'a'
⎕←≢⍴'a'
⎕←≢⍴'ab'
⎕←≢''
⎕←'⍺≠''⍵'''
⎕←'日本 ok'
⎕←≢'日本 ok'
⎕←(⊃'''')='''"'
⎕←'⋄ ⍝ no end, no comment'
