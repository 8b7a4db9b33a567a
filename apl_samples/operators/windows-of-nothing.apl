⍝ Windows may have one element more than the array; there is none of them then. Longer ones are an error, whatever
⍝ the function makes of the elements.
⍝ == case one
⍝ == input n int: 1
⍝ == output 0 0
⍝ == case none
⍝ == input n int: 0
⍝ == error 9:14 LENGTH ERROR: {⍺ ⍵}/ needs windows of at most 1 elements, got 2
⎕←(≢2=/'a'),≢2{⍺ ⍵}/n⍴5
