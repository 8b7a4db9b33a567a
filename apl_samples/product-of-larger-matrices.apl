⍝ Products of matrices that are larger than the tiles in which they are computed, and no multiples of these. Row i of m
⍝ has i everywhere, so element i,j of m+.×⍉m is 40×i×j, and all of them come to 40×561×561.
⍝ == input v double 33: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33
⍝ == output 1
⍝ == output 12588840
⍝ == output 33
m ← ⍉40 33⍴v
p ← m+.×⍉m
⎕←p≡40×v∘.×v
⎕←+/,p
⎕←⌈/,m⌊.⌈⍉m
