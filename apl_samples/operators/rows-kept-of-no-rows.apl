⍝ Rows of a length that only they know, of which there are none: the result has no memory at all, and the extents that
⍝ the function has for fills.
⍝ == input c char 0 3: ''
⍝ == output 0 0
⍝ == output 0 3
⍝ == output 0 0
⎕←⍴({(⍵='a')/⍵}⍤1)c
⎕←⍴({(⍵=' ')/1↑⍵}⍤1)c
⎕←⍴0({⍬/0}⍤1 1)c
({(⍵='a')/⍵}⍤1)c
