⍝ ⍴ of an array whose length only the run knows: too long, too short, or empty.
⍝ == case empty
⍝ == input v double 0:
⍝ == output 0 0
⍝ == output 0 0
⍝ == output 0
⍝ == output 0 0 0
⍝ == output 0
⍝ == output
⍝ == case one element
⍝ == input v double 1: 2.5
⍝ == output 2.5 2.5
⍝ == output 2.5 2.5
⍝ == output 10
⍝ == output 2.5 2.5 2.5
⍝ == output 1
⍝ == output 2.5
⍝ == case three elements
⍝ == input v double 3: 1 2 3
⍝ == output 1 2
⍝ == output 3 1
⍝ == output 7
⍝ == output 1 2 3
⍝ == output 3
⍝ == output 1 2 3
⍝ == case six elements
⍝ == input v double 6: 1 2 3 4 5 6
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 10
⍝ == output 1 2 3
⍝ == output 6
⍝ == output 1 2 3 4 5 6
⎕←2 2⍴v
⎕←+/,2 2⍴v
⎕←3⍴v
⎕←⍴(⍴v)⍴v
⎕←(≢v)⍴v
