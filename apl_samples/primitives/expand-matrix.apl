⍝ \ works along the last axis, ⍀ along the first, with [k] both along that axis.
⍝ == input m int 2 2: 1 2 3 4
⍝ == input b bool 3: 1 0 1
⍝ == output 1 0 2
⍝ == output 3 0 4
⍝ == output 1 2
⍝ == output 0 0
⍝ == output 3 4
⍝ == output 1 2
⍝ == output 0 0
⍝ == output 3 4
⍝ == output 0 1 2
⍝ == output 0 3 4
⍝ == output ab
⍝ == output
⍝ == output cd
⍝ == output 1 0 2
⍝ == output 2 3 4
⍝ == output 1 0 2
⍝ == output 3 0 4
⍝ == output 1 2
⍝ == output 0 0
⍝ == output 3 4
⎕←1 0 1\2 2⍴⍳4
⎕←1 0 1⍀2 2⍴⍳4
⎕←1 0 1\[1]2 2⍴⍳4
⎕←0 1 1⍀[2]2 2⍴⍳4
⎕←1 0 1⍀2 2⍴'abcd'
⎕←1 0 1⍀1 2
⎕←⍴1 0 1\[2]2 2 4⍴0
⎕←b\m
⎕←b⍀m
