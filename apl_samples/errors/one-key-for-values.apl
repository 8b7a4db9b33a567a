⍝ A single key is not extended: it is that of one value.
⍝ == output 1
⍝ == error 5:3 LENGTH ERROR: the operator ⌸ needs equal lengths, got 1 and 2
⎕←5{≢⍵}⌸,7
⎕←5{≢⍵}⌸7 8
