⍝ Matrices joined by a reduction lie one behind the other at once, without a step that copies all before it.
⍝ == input k int 7: 1 1 2 3 3 3 5
⍝ == input p double 7: 2 4 3 1 9 6 7
⍝ == output 2 4 2 4
⍝ == output 3 3 3 3
⍝ == output 1 9 1 6
⍝ == output 7 7 7 7
⍝ == output 1 1 2 3 3 4
⍝ == output 1 1 2 3 3 4
⍝ == output 0 3
⍝ == output 1 2 2 3 3 3
⍝ == error 17:5 LENGTH ERROR: the operator / needs equal lengths, got 3 and 4
⎕←⊃⍪/k{⊂1 4⍴(⊃⍵),(⌈/⍵),(⌊/⍵),⊃⌽⍵}⌸p
⎕←⊃,/{2(1+2|⍵)⍴⍵}¨⍳4
⎕←⍴⊃⍪/{0 3⍴⍵}¨k
⎕←⊃⍪/{⍵⍴⍵}¨⍳3
f←{⊃⍪/{2 ⍵⍴⍵}¨⍵}
⎕←f 3 4
