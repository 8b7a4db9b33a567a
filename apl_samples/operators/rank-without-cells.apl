⍝ Without a cell the function is applied to a cell of fills, which tells the shape; an error there gives 0s.
⍝ What fails for a cell that is not there is not computed, nor is what needs it, as the rows with an index that
⍝ is checked in a loop. Where the shape hangs on data, the function is attempted when the program runs.
⍝ == input b bool 1: 1
⍝ == input k int: 3
⍝ == input x int 5: 1 2 3 4 5
⍝ == case none
⍝ == input e int 0 2:
⍝ == output 0 2
⍝ == output 0 2
⍝ == output 0 0
⍝ == output 0 3 5
⍝ == output 0 3 5
⍝ == output 0 1 0 4 0 2
⍝ == output 0 2 0 0
⍝ == output 0 2 0 0
⍝ == output 0 6 0 0
⍝ == case one
⍝ == input e int 1 2: 7 8
⍝ == output 1 2
⍝ == output 1 2
⍝ == error 25:6 LENGTH ERROR: / needs equal lengths, got 3 and 2
⎕←⍴({((⊃⍴b) 1)\⍵}⍤1)e
⎕←⍴({(b,1)/⍵}⍤1)e
⎕←⍴({(b,1,⊃b)/⍵}⍤1)e
⎕←⍴({{m←⍵ ⋄ m[,k;2 1 1 5 1 2]←4 ⋄ m}3 5⍴1}⍤1)e
⎕←⍴({{m←⍵ ⋄ m[k;2 1 1 5 1 2]←4 ⋄ m}3 5⍴1}⍤1)e
⎕←(⍴{∪⍵}⍤1⊢e),(⍴{⍵∪7 8}⍤1⊢e),⍴{⍵[⍋⍵]~7}⍤1⊢e
⎕←(⍴{⍵[⍸2≥x]}⍤1⊢e),⍴{⍵[⍸2≤x]}⍤1⊢e
⎕←(⍴{(∪⍵+⍳2)∘.+⍳0}⍤1⊢e)[1 2],⍴{x[∪⍵+9]}⍤1⊢e
⎕←(⍴{(+/x[⍵+k])↑x}⍤1⊢e),⍴{(+/x[⍵+k+k])↑x}⍤1⊢e
