⍝ Each index is held against its own axis.
⍝ == input m int 2 3: 1 2 3 4 5 6
⍝ == case inside
⍝ == input i int: 2
⍝ == input j int: 3
⍝ == output 6
⍝ == case beyond the rows
⍝ == input i int: 3
⍝ == input j int: 2
⍝ == error 15:1 INDEX ERROR: ⌷
⍝ == case beyond the columns
⍝ == input i int: 2
⍝ == input j int: 4
⍝ == error 15:1 INDEX ERROR: ⌷
i j⌷m
