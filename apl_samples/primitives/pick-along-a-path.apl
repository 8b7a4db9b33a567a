⍝ A path chooses an item, an item of that, and so on, through arrays of any structure.
⍝ == output ab
⍝ == output 3
⍝ == output b
⍝ == output 6
⍝ == output b
⍝ == output 5
t←(1 2)('ab'(3 4))
⎕←2 1⊃t
⎕←2 2 1⊃t
⎕←2 1 2⊃t
u←(1 2)((3 4)(5 6))
i←2
⎕←2 i 2⊃u
⎕IO←0
⎕←1 0 1⊃t
⎕←(1,i+3)⊃'abc'(⍳6)
