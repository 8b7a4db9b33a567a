⍝ An inner product by a function that does not look at its right argument: this is computed all the same, and may
⍝ fail.
⍝ == input i int 1: 9
⍝ == output 6
⍝ == error 7:14 INDEX ERROR: 'yab' has no element 9, the length is 3
⎕←1 2+.{3⊣⍵}'ya'
⎕←(,1)+.{3⊣⍵}'yab'[i]
