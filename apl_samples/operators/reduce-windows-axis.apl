⍝ Windows along an axis: n f/ takes the last one, n f⌿ the first, n f/[k] axis k.
⍝ == input m int 3 4: 1 2 3 4 5 6 7 8 9 10 11 12
⍝ == output 3  5
⍝ == output 9 11
⍝ == output 5 7 9
⍝ == output 1 3
⍝ == output 5 7 9
⍝ == output 1 1
⍝ == output 1 1
⍝ == output ¯4 ¯4 ¯4 ¯4
⍝ == output ¯4 ¯4 ¯4 ¯4
⍝ == output   6   24
⍝ == output 210  336
⍝ == output 990 1320
⍝ == output 0 4
⍝ == output 0 0 0
⍝ == output 0 0 0
⍝ == output 0 0 0
⍝ == output  4  6
⍝ == output
⍝ == output 12 14
a←2 3⍴⍳6
⎕←2+/a
⎕←2+⌿a
⎕←⍴2+⌿a
⎕←2+/[1]a
⎕←¯2-/a
⎕←2-⌿m
⎕←3×/m
⎕←⍴4+⌿m
⎕←0+⌿a
⎕←2+/[2]2 2 2⍴⍳8
