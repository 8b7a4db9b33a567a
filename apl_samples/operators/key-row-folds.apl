⍝ Groups of the rows of a matrix that are only counted and folded are never gathered: sums, extrema and counts of all of
⍝ them are made while the rows pass once.
⍝ == input k int 5: 3 1 3 2 1
⍝ == input m double 5 2: 1 2 3 4 5 6.5 7 8 9 10
⍝ == output 3 4.25
⍝ == output 6 7
⍝ == output 7 8
⍝ == output 3 2  6  8.5
⍝ == output 1 2 12 14
⍝ == output 2 1  7  8  
⍝ == output 4 4.5
⍝ == output 6 6
⍝ == output 0 0
⍝ == output 1 1
⍝ == output 2 2
⍝ == output 1 1
⍝ == output 1 1
⍝ == output 2 2
⍝ == output 1 1
⍝ == output 0 2
⍝ == error 28:3 LENGTH ERROR: the operator ⌸ needs equal lengths, got 5 and 4
⎕←k{(+⌿⍵)÷≢⍵}⌸m
⎕←k{⍺,(≢⍵),+⌿⍵}⌸m
⎕←k{(⌈⌿⍵)-⌊⌿⍵}⌸m
⎕←k{+⌿⍵}⌸m>2
⎕←{⎕IO←0 ⋄ k{+⌿⍵}⌸⍵}m>2
⎕←⍴(0⍴k){(+⌿⍵)÷1+≢⍵}⌸0↑m
⎕←k{+⌿⍵}⌸1↓m
