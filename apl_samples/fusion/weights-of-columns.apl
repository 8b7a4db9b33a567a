⍝ A few weights for the columns of a matrix, by reshaping them to its shape: they stand again in each row, and no element asks
⍝ for a remainder, whether a row has as many elements as there are weights or some times as many.
⍝ == case a weight for each column
⍝ == input m int 4 3: 1 2 3 4 5 6 7 8 9 10 11 12
⍝ == output 321 654 987 1320
⍝ == case the weights twice in a row
⍝ == input m int 2 6: 1 2 3 4 5 6 7 8 9 10 11 12
⍝ == output 975 2307
⍝ == case a part of the weights, which go on in the next row
⍝ == input m int 4 2: 1 2 3 4 5 6 7 8
⍝ == output 21 304 650 87
⍝ == case no columns
⍝ == input m int 2 0:
⍝ == output 0 0
⍝ == case long rows
⍝ == input m int 2 600: arange
⍝ == output 6668700 19988700
+/m×(⍴m)⍴1 10 100
