⍝ Axes that follow each other become one; a fraction, or no axis, is a new axis of length 1.
⍝ == output 6 4
⍝ == output  1  2  3  4  5  6  7  8  9 10 11 12
⍝ == output 13 14 15 16 17 18 19 20 21 22 23 24
⍝ == output 24
⍝ == output 2 3 4
⍝ == output 1 3
⍝ == output 3 1
⍝ == output 2 1 3 4
⍝ == output 2 3 4 1
⍝ == output 1
⍝ == output 6 4
⍝ == output 1 3
cube←2 3 4⍴⍳24
⎕←⍴,[1 2]cube
⎕←,[2 3]cube
⎕←⍴,[1 2 3]cube
⎕←⍴,[2]cube
⎕←⍴,[0.5]1 2 3
⎕←⍴,[1.5]1 2 3
⎕←⍴,[1.5]cube
⎕←⍴,[⍬]cube
⎕←⍴,[0.5]7
⎕IO←0
⎕←⍴,[0 1]cube
⎕←⍴,[¯0.5]1 2 3
