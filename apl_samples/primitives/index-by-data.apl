⍝ ⌷ and [⊂i] with an index whose length only the run knows: it has a number for each axis, a single one does
⍝ not extend. A take in a selection goes beyond the end from the element behind the last one.
⍝ == case two
⍝ == input i int 2: 2 3
⍝ == input k int: 2
⍝ == output 7
⍝ == output 7
⍝ == output 6 7 8
⍝ == output 2
⍝ == output 0 0 3
⍝ == case one
⍝ == input i int 1: 2
⍝ == input k int: 2
⍝ == error 37:4 INDEX ERROR: the index of ⌷ has no element 2, the length is 1
⍝ == case none
⍝ == input i int 0:
⍝ == input k int: 2
⍝ == error 37:4 LENGTH ERROR: the index of ⌷ needs 2 values, got 0
⍝ == case three
⍝ == input i int 3: 1 2 3
⍝ == input k int: 2
⍝ == error 37:4 LENGTH ERROR: the index of ⌷ needs 2 values, got 3
⍝ == case beyond
⍝ == input i int 2: 2 9
⍝ == input k int: 2
⍝ == error 37:4 INDEX ERROR: ⌷ has no element 9 on axis 2, the extent is 4
⍝ == case too far
⍝ == input i int 2: 2 3
⍝ == input k int: 4
⍝ == output 7
⍝ == output 7
⍝ == output 6 7 8
⍝ == output 2
⍝ == error 44:1 INDEX ERROR: v has no element 4, the length is 3
m←3 4⍴⍳12
at←1↓0,i
⎕←{⍵⌷m}at
⎕←m[⊂at]
⍝ a part of a row
row←{(⊂⍵)⌷m[2;]}
⎕←row 1↓⍳4
⎕←⊃at
v←⍳3
(k↑v)←0
⎕←v
