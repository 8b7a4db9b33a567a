⍝ == error 2:1 INDEX ERROR: ⊃ has no element 4, the length is 3
4⊃10 20 30
