⍝ Columns of a matrix are aligned each by itself, planes separated by an empty line; text prints as it is.
⍝ == output  1 ¯10
⍝ == output 20   3
⍝ == output  1.5  100
⍝ == output ¯0.25   2
⍝ == output abc
⍝ == output def
⍝ == output 1 2
⍝ == output
⍝ == output 3 4
⍝ == output
⍝ == output
⍝ == output 1 2
⍝ == output
⍝ == output 3 4
⍝ == output
⍝ == output
⎕←2 2⍴1 ¯10 20 3
⎕←2 2⍴1.5 100 ¯0.25 2
⎕←2 3⍴'abcdef'
⎕←2 2 1 2⍴⍳4
⎕←⍬
⎕←''
