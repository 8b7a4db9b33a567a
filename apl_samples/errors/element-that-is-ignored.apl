⍝ An element that a reduction ignores is computed all the same, and its error is told.
⍝ == case a few
⍝ == input b bool 2: 0 1
⍝ == input n int 2: 3 5
⍝ == error 20:8 DOMAIN ERROR: ? needs whole numbers above zero, got ¯1
⍝ == case rows of a few
⍝ == input b bool 1 2: 0 1
⍝ == input n int 2: 3 5
⍝ == error 20:8 DOMAIN ERROR: ? needs whole numbers above zero, got ¯1
⍝ == case no error
⍝ == input b bool 1 2: 1 1
⍝ == input n int 2: 3 5
⍝ == output 1
⍝ == output 5
⍝ == case a subscript
⍝ == input b bool 2: 1 1
⍝ == input n int 2: 9 5
⍝ == output 1
⍝ == error 21:7 INDEX ERROR: ⍳5 has no element 9, the length is 5
⎕←⍬⍴⊢/⌈?-~b
⎕←{⍵}/(⍳5)[n]
