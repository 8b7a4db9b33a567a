⍝ A condition is asked of the elements in a loop and of one behind it, each time for a row: the error tells which
⍝ element there is not.
⍝ == input m int 2 3: 0 1 2 2 1 0
⍝ == input x int 5: 1 2 3 4 5
⍝ == error 6:8 INDEX ERROR: x has no element 10, the length is 5
⎕←{{⍵/⍨x[1+⍵]>0}⍵,9}⍤1⊢m
