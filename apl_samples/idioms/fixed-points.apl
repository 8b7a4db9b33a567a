⍝ Fixed points of a permutation: positions that hold their own number. What is counted is compared with the index of
⍝ the count itself, so there is nothing to walk over but the elements.
⍝ == input w int 40: 40 39 3 37 36 35 34 33 9 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 32 8 7 6 5 4 38 2 1
⍝ == output 4
⍝ == output 3 9 32 38
⍝ == output 36
p←⍋⍋w
⎕←+/p=⍳≢p
⎕←⍸p=⍳≢p
⎕←+/(⌽⍋p)=⍳≢p
