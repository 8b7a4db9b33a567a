⍝ Neighbours: differences, changes, sums that undo them, peaks, growth.
⍝ == input v double 6: 1 4 9 7 7 10
⍝ == output 3 5 ¯2 0 3
⍝ == output 3 5 ¯2 0 3
⍝ == output ¯3 ¯5 2 0 ¯3
⍝ == output 1 5 14 21 28 38
⍝ == output 1 4 9 7 7 10
⍝ == output 1 4 9 7 7 10
⍝ == output 1 1 0 0 1
⍝ == output 0
⍝ == output 1 1 1 1 0 1
⍝ == output 1 4 9 7 10
⍝ == output 0 0 1 0 0 0
⍝ == output 2 4 0.5
⍝ == output 1 4 9 9 9 10
⍝ == output 1 1 1 0 0 1
⍝ == output 1 0 1 2 1
⍝ == output 5 13 16 14 17
⎕←2-⍨/v
⎕←(1↓v)-¯1↓v
⎕←2-/v
⎕←+\v
⎕←2-⍨/0,+\v
⎕←+\(1↑v),2-⍨/v
⎕←2</v
⎕←∧/2</v
⎕←1,2≠/v
⎕←(1,2≠/v)/v
⎕←(0,(2</¯1↓v)∧2>/1↓v),0
⎕←2÷⍨/1 2 8 4
⎕←⌈\v
⎕←v=⌈\v
⎕←+\1 ¯1 1 1 ¯1
⎕←2+/v
