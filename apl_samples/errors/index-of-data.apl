⍝ == input v int 3: 10 20 30
⍝ == case the last
⍝ == input i int: 3
⍝ == output 30
⍝ == case beyond
⍝ == input i int: 4
⍝ == error 14:1 INDEX ERROR: ⌷
⍝ == case none
⍝ == input i int: 0
⍝ == error 14:1 INDEX ERROR: ⌷
⍝ == case negative
⍝ == input i int: ¯1
⍝ == error 14:1 INDEX ERROR: ⌷
i⌷v
