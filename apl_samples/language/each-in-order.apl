⍝ ¨ goes from the first element to the last, of simple arrays and of strands.
⍝ == output 1
⍝ == output 2
⍝ == output 1
⍝ == output 2 3
⍝ == output  13 14  10 11  6 7  1 2 
⍝ == output 3 5 8
a←{⎕←⍵ ⋄ ⍵}¨1 2
b←{⎕←⍵ ⋄ ≢⍵}¨1 (2 3)
x←0
total←{x+←⍵ ⋄ x}
⎕←⌽total¨(1 2) 5 4 3
x←0
⎕←total¨3 2 3
