⍝ / works along the last axis, ⌿ along the first, with [k] both along that axis.
⍝ == input m int 2 3: 1 2 3 4 5 6
⍝ == input b bool 3: 1 0 1
⍝ == input r int 2: ¯1 2
⍝ == output 1 3
⍝ == output 4 6
⍝ == output 1 1 2 2
⍝ == output 3 3 4 4
⍝ == output 1
⍝ == output 3
⍝ == output
⍝ == output 5
⍝ == output 7
⍝ == output 1 2
⍝ == output 5 6
⍝ == output 1 2
⍝ == output 1 2
⍝ == output 0 0
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 1 2
⍝ == output 5 6
⍝ == output 1 2 2
⍝ == output 3 4 4
⍝ == output 3 4
⍝ == output
⍝ == output 7 8
⍝ == output ab
⍝ == output
⍝ == output 7 7
⍝ == output 8 8
⍝ == output 7 8
⍝ == output 7 8
⍝ == output 1 1 2 2
⍝ == output 5 5
⍝ == output 0 3
⍝ == output 2 0
⍝ == output 1 3
⍝ == output 4 6
⍝ == output 0 0 0
⍝ == output 4 5 6
⍝ == output 4 5 6
⎕←1 0 1/2 3⍴⍳6
⎕←2/2 2⍴⍳4
⎕←1 0/2 2 2⍴⍳8
⎕←1 0 1⌿3 2⍴⍳6
⎕←2 ¯1⌿2 2⍴⍳4
⎕←1 0⌿2 2 2⍴⍳8
⎕←1 0 1/[1]3 2⍴⍳6
⎕←1 2⌿[2]2 2⍴⍳4
⎕←0 1/[2]2 2 2⍴⍳8
⎕←1 ¯1⌿2 2⍴'abcd'
⎕←1 0 1/2 1⍴7 8
⎕←1 1⌿1 2⍴7 8
⎕←2⌿1 2
⎕←2⌿5
⎕←⍴0⌿2 3⍴1
⎕←⍴0 0/2 2⍴1
⎕←b/m
⎕←r⌿m
