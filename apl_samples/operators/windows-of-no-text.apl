⍝ A text that is empty has no windows of two characters: LENGTH ERROR, as with numbers.
⍝ == input n int: 0
⍝ == error 4:4 LENGTH ERROR: =/ needs windows of at most 1 elements, got 2
⎕←≢2=/n↑'abc'
