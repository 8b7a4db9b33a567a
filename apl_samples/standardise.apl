⍝ Standard scores: mean 0 and deviation 1. And a row-wise version, by transposition.
⍝ == output ¯1.5 ¯0.5 ¯0.5 ¯0.5 0 0 1 2
⍝ == output ¯1 0 1
⍝ == output ¯1 0 1
⍝ == output 0 0
mean        ← +/÷≢
standardise ← {d←⍵-mean ⍵ ⋄ d÷(mean d×d)*0.5}
⎕←standardise 2 4 4 4 5 5 7 9
centre ← {⍵-⍉(⌽⍴⍵)⍴(+/⍵)÷1↓⍴⍵}
⎕←centre 2 3⍴1 2 3 5 6 7
⎕←+/centre 2 3⍴1 2 3 5 6 7
