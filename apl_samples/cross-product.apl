⍝ The vector product of each row with the row of the other matrix, and the dot product of that with both: zero.
⍝ == input p double 3 3: 1 0 0 1 2 3 0 2 0
⍝ == input q double 3 3: 0 1 0 4 5 6 0 0 0.5
⍝ == output  0 0  1
⍝ == output ¯3 6 ¯3
⍝ == output  1 0  0
⍝ == output 0 0 0
⍝ == output 0 0 0
cross ← {((1⌽⍺)×2⌽⍵)-(2⌽⍺)×1⌽⍵}
⎕←p cross q
⎕←+/p×p cross q
⎕←+/q×p cross q
