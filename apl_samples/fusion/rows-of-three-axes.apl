⍝ Rows of an array of three axes: which is the greatest of each, and its elements as parts of their sum. All rows are those of
⍝ one loop, as if the array were a matrix.
⍝ == case short rows
⍝ == input a double 2 2 4: 1 3 2 2 8 4 2 2 1 1 1 5 0.5 0.25 0.25 1
⍝ == output 2 1
⍝ == output 4 4
⍝ == output 0.125 0.375 0.25  0.25 
⍝ == output 0.5   0.25  0.125 0.125
⍝ == output                         
⍝ == output 0.125 0.125 0.125 0.625
⍝ == output 0.25  0.125 0.125 0.5  
⍝ == structure {allocs 3, modulo 0}
{⍵⍳⌈/⍵}⍤1⊢a
{⍵÷+/⍵}⍤1⊢a
