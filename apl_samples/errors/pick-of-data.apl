⍝ Elements are counted from 1.
⍝ == input v int 3: 10 20 30
⍝ == case the last
⍝ == input i int: 3
⍝ == output 31
⍝ == case beyond
⍝ == input i int: 4
⍝ == error 15:4 INDEX ERROR: ⊃ has no element 4, the length is 3
⍝ == case none
⍝ == input i int: 0
⍝ == error 15:4 INDEX ERROR: ⊃ has no element 0, the length is 3
⍝ == case negative
⍝ == input i int: ¯1
⍝ == error 15:4 INDEX ERROR: ⊃ has no element ¯1, the length is 3
1+ i⊃v
