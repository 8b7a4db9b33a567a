⍝ With [k] both , and ⍪ join along axis k.
⍝ == input m int 2 2: 1 2 3 4
⍝ == input v int 2: 5 6
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 5 6
⍝ == output 1 2 5
⍝ == output 3 4 6
⍝ == output 0 0
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 1 2 3 4
⍝ == output 2 4 4
⍝ == output 7 3 4
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 0 0
⍝ == output
⍝ == output 5 6
⍝ == output 7 8
⍝ == output 0 0
⍝ == output 5 6
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 1 2 1 2
⍝ == output 3 4 3 4
⎕←(2 2⍴⍳4),[1]5 6
⎕←(2 2⍴⍳4)⍪[2]5 6
⎕←0,[1]2 2⍴⍳4
⎕←1 2,[1]3 4
⎕←⍴(2 3 4⍴0),[2]2 4⍴0
⎕←⍴(2 3 4⍴0),[1]5 3 4⍴0
⎕←(2 2 2⍴⍳8),[2]0
⎕←v,[1]m
⎕←m⍪[2]m
