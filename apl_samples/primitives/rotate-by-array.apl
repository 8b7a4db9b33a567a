⍝ An array on the left of ⌽ or ⊖ has an amount for each row, or whatever lies along the axis: its shape is that of the
⍝ right argument without the axis. Element i of column j of a⊖m is element i+a[j] of that column.
⍝ == input m int 2 3: 1 2 3 4 5 6
⍝ == input r int 2: 1 ¯1
⍝ == input c int 3: 1 0 ¯5
⍝ == input z double 2 0:
⍝ == output 1 2 3
⍝ == output 5 6 4
⍝ == output 2 3 1
⍝ == output 6 4 5
⍝ == output 1 5 9
⍝ == output 4 8 3
⍝ == output 7 2 6
⍝ == output 1 2
⍝ == output 4 3
⍝ == output
⍝ == output 6 5
⍝ == output 7 8
⍝ == output 1 6
⍝ == output 7 4
⍝ == output
⍝ == output 5 2
⍝ == output 3 8
⍝ == output ba
⍝ == output cd
⍝ == output 2 3 1
⍝ == output 6 4 5
⍝ == output 4 2 6
⍝ == output 1 5 3
⍝ == output 2 0
⎕←0 1⌽2 3⍴⍳6
⎕←1 ¯1⌽2 3⍴⍳6
⎕←0 1 2⊖3 3⍴⍳9
⎕←(2 2⍴0 1 1 0)⌽2 2 2⍴⍳8
⎕←(2 2⍴0 1 1 0)⊖2 2 2⍴⍳8
⎕←1 2⌽2 2⍴'abcd'
⎕←r⌽m
⎕←c⊖m
⎕←⍴r⌽z
