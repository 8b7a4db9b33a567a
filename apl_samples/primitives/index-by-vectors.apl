⍝ An item on the left of ⌷ may be a vector of indices for its axis.
⍝ == input m int 3 3: 1 2 3 4 5 6 7 8 9
⍝ == output 2 8
⍝ == output 7 8
⍝ == output 1 2
⍝ == output 6 4
⍝ == output 4
⍝ == output 4
⎕←(1 3)2⌷3 3⍴⍳9
⎕←(3 1)(1 2)⌷3 3⍴⍳9
⎕←2(3 1)⌷m
⎕←(2 2)(,1)⌷m
