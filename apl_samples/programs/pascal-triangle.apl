⍝ Pascal's triangle: rows by addition, by binomials, as a table by sums; sums along the diagonals are Fibonacci numbers.
⍝ == input n int: 6
⍝ == output 1 6 15 20 15 6 1
⍝ == output 1 6 15 20 15 6 1
⍝ == output 1 0 0 0 0
⍝ == output 1 1 0 0 0
⍝ == output 1 2 1 0 0
⍝ == output 1 3 3 1 0
⍝ == output 1 4 6 4 1
⍝ == output 1 2 4 8 16
⍝ == output 1 4 10 20 35
⍝ == output 1 1 2 3 5 8 13 21
⍝ == output 1 2 3
⍝ == output 2 4 6
⍝ == output 3 6 9
row←{({(0,⍵)+⍵,0}⍣⍵),1}
⎕←row n
⎕←(0,⍳n)!n
⎕←⍉∘.!⍨¯1+⍳5
⎕←+/⍉∘.!⍨¯1+⍳5
⎕←(+\⍣3)5⍴1
⎕←{+/(0,⍳⍵)!⍵-0,⍳⍵}¨¯1+⍳8
⎕←+⍀+\3 3⍴1
