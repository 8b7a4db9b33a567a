⍝ A width and a number of decimals for each column, or for all.
⍝ == input m int 2 3: 1 2 3 4 5 6
⍝ == error 4:1 LENGTH ERROR: ⍕
5 0 5 0⍕m
