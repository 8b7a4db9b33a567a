⍝ Dyadic ⍉: axis i of the right argument becomes axis a[i] of the result, and axes that become the same one
⍝ give a diagonal, as long as the shortest of them. In 2 3 1⍉ the extent 4 goes to the front: 4 2 3.
⍝ == input m int 2 3: 1 2 3 4 5 6
⍝ == output 1 4
⍝ == output 2 5
⍝ == output 3 6
⍝ == output 1 5 9
⍝ == output 1 5
⍝ == output 1 2 3
⍝ == output 4 5 6
⍝ == output 4 2 3
⍝ == output 1 2
⍝ == output 5 6
⍝ == output
⍝ == output 3 4
⍝ == output 7 8
⍝ == output 1 8
⍝ == output 1 2
⍝ == output 7 8
⍝ == output 1 3
⍝ == output 6 8
⍝ == output 1 2 3
⍝ == output 5
⍝ == output 1 5
⍝ == output
⎕←2 1⍉2 3⍴⍳6
⎕←1 1⍉3 3⍴⍳9
⎕←1 1⍉2 3⍴⍳6
⎕←1 2⍉2 3⍴⍳6
⎕←⍴2 3 1⍉2 3 4⍴0
⎕←2 1 3⍉2 2 2⍴⍳8
⎕←1 1 1⍉2 2 2⍴⍳8
⎕←1 1 2⍉2 2 2⍴⍳8
⎕←1 2 1⍉2 2 2⍴⍳8
⎕←1⍉1 2 3
⎕←⍬⍉5
⎕←1 1⍉m
⎕←1 1⍉0 3⍴0
