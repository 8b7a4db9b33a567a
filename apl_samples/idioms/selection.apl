⍝ Choosing elements: by a condition, the first ones that hold, without duplicates, what is missing, what is common.
⍝ == input v int 8: 3 1 4 1 5 9 2 6
⍝ == input w int 3: 1 9 8
⍝ == output 4 5 9 6
⍝ == output 3 4 5 2 6
⍝ == output 3 4 5 2 6
⍝ == output 1 1 9
⍝ == output 1 1 9
⍝ == output 3 1 4 5 9 2 6
⍝ == output 3 1 4 5 9 2 6
⍝ == output 7
⍝ == output 3 5 6 8
⍝ == output 5
⍝ == output 5
⍝ == output 3 1 4 1
⍝ == output 5 9 2 6
⍝ == output 4 2 6
⍝ == output 3 4 5 2
⍝ == output 0 0 4 0 5 9 0 6
⍝ == output 9
⍝ == output 9 2 6
⍝ == output 1 4 1 5 9 2
⍝ == output 7 8
⍝ == output 3 1 4 5 9 2 6 8
⍝ == output 0
⍝ == output 0 0 0 0 1 0 0 0
⍝ == output 0 0 0 0 0 0 0 1
⎕←(v>3)/v
⎕←(~v∊w)/v
⎕←v~w
⎕←(v∊w)/v
⎕←v∩w
⎕←(∪v)
⎕←((v⍳v)=⍳≢v)/v
⎕←≢∪v
⎕←⍸v>3
⎕←⊃⍸v>4
⎕←(v>4)⍳1
⎕←(∧\v<5)/v
⎕←(∨\v>4)/v
⎕←(0=2|v)/v
⎕←(2|⍳≢v)/v
⎕←v×v>3
⎕←v/⍨v=⌈/v
⎕←¯3↑v
⎕←1↓¯1↓v
⎕←(⍳9)~v
⎕←∪v,w
⎕←∧/w∊v
⎕←<\v>4
⎕←⌽<\⌽v>4
