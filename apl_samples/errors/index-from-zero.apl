⍝ Where indices count from 0, errors name elements and axes so, too: as they were written.
⍝ == input n int: 5
⍝ == input v int 5: 3 1 4 1 5
⍝ == case an element
⍝ == input n int: 5
⍝ == error 16:13 INDEX ERROR: v has no element 5, the length is 5
⍝ == case an axis
⍝ == input n int: 2
⍝ == output 3 1 4 1 5 4
⍝ == error 17:3 INDEX ERROR: m has no element 2 on axis 0, the extent is 2
⍝ == case picked
⍝ == input n int: 1
⍝ == output 3 1 4 1 5 1
⍝ == output 1
⍝ == error 18:3 INDEX ERROR: ⊃ has no element 6, the length is 5
⎕IO←0 ⋄ ⎕←v,v[n] ⋄ m←2 3⍴v
⎕←m[n;1]-4
⎕←(n+5)⊃v
