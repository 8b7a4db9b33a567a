⍝ Cutting into pieces compares lengths, also where nobody uses the pieces.
⍝ == input v int 4: 3 1 2 7
⍝ == case one for each element
⍝ == input m int 4: 3 1 2 0
⍝ == output 1 2
⍝ == case one too few
⍝ == input m int 3: 3 1 2
⍝ == error 9:6 LENGTH ERROR: ⊆ needs equal lengths, got 3 and 4
⎕←{y←(m>⍵)⊆v ⋄ ⍵}¨1 2
