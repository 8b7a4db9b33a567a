⍝ f⌿ reduces the first axis, right to left: -⌿3 2⍴⍳6 is 1-3-5 and 2-4-6.
⍝ == input m int 2 2: 1 2 3 4
⍝ == output 5 7 9
⍝ == output 3 4
⍝ == output 6
⍝ == output 5
⍝ == output  6  8
⍝ == output 10 12
⍝ == output 0 0 0
⍝ == output
⍝ == output ¯2 ¯2
⍝ == output 4 6
⎕←+⌿2 3⍴⍳6
⎕←-⌿3 2⍴⍳6
⎕←+⌿1 2 3
⎕←+⌿5
⎕←+⌿2 2 2⍴⍳8
⎕←+⌿0 3⍴0
⎕←×⌿3 0⍴5
⎕←-⌿m
⎕←+⌿m
