⍝ Groups that are only counted and folded, or of which the first or the last element is wanted, are never gathered: sums,
⍝ extrema and counts of all of them are made while the values pass once.
⍝ == input k int 6: 3 1 3 2 1 3
⍝ == input v double 6: 1 2 3 4 5 6.5
⍝ == output 3.5 3.5 4
⍝ == output 3 10.5
⍝ == output 1  7
⍝ == output 2  4
⍝ == output 5.5 3 0
⍝ == output 10.5 ¯7 4
⍝ == output 21 14 8
⍝ == output 2 1 1
⍝ == output 10.5 7 4
⍝ == output 0 2
⍝ == output 1 1 1
⍝ == output 3.5 3.5 4
⍝ == output 3 5.5
⍝ == output 1 3  
⍝ == output 2 0  
⍝ == output 1 6.5 1 6.5
⍝ == output 2 5   2 5  
⍝ == output 4 4   4 4  
⍝ == output 7.5 7 8
⍝ == output 1 6
⍝ == output 2 5
⍝ == output 4 4
⍝ == output 0 4
⍝ == error 46:3 LENGTH ERROR: the operator ⌸ needs equal lengths, got 6 and 1
⎕←k{(+/⍵)÷≢⍵}⌸v
⎕←k{⍺,+/⍵}⌸v
⎕←k{(⌈/⍵)-⌊⌿⍵}⌸v
⎕←k{s←+/⍵ ⋄ 7=s:-s ⋄ s}⌸v
⎕←k{scale←2 ⋄ scale×+/⍵}⌸v
⎕←k{+/⍵}⌸v>2
⎕←{⎕IO←0 ⋄ k{+/⍵}⌸⍵}v
⎕←⍴k{⍺,+/⍵}⌸⍥(0∘⍴)v
⎕←k{⌈/⍵}⌸v>2
mean←+/÷≢
spread←{(⌈/⍵)-⌊/⍵}
⎕←k{(+/÷≢)⍵}⌸v
⎕←k{⍺,(spread+mean-mean)⍵}⌸v
⎕←k{(⊃⍵),(⌈/⍵),(⌊/⍵),⊃⌽⍵}⌸v
⎕←k{(⊣/⍵)+⊢/⍵}⌸v
⎕←k{(⊃⍵),s←⊃⌽⍵}⌸⍳6
⎕←⍴(0⍴k){(⊃⍵),(⌈/⍵),(⌊/⍵),⊃⌽⍵}⌸0⍴v
⎕←k{+/⍵}⌸,7
