⍝ Shifting and padding: with fill, around, by take and drop; splitting into rows; reshaping with padding.
⍝ == input v int 5: 1 2 3 4 5
⍝ == output 2 3 4 5 1
⍝ == output 5 1 2 3 4
⍝ == output 0 1 2 3 4
⍝ == output 2 3 4 5 0
⍝ == output 0 0 1 2 3
⍝ == output 1 2 3 4 5 0 0
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 5 0
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 5 0
⍝ == output 1 2 99 3 4 5
⍝ == output 1 2 4 5
⍝ == output 1 2 3 5 4
⍝ == output 4 5 1 2 3
⍝ == output 5
⍝ == output 5
⍝ == output 3
⍝ == output 15
⍝ == output 2 3 4 5 1
⍝ == output 3 4 5 1 2
⍝ == output 4 5 1 2 3
⍝ == output 5 1 2 3 4
⍝ == output 1 2 3 4 5
⍝ == output 0 1 2 0
⍝ == output 0 0 1 2
⎕←1⌽v
⎕←¯1⌽v
⎕←0,¯1↓v
⎕←(1↓v),0
⎕←¯5↑3↑v
⎕←7↑v
⎕←3 2⍴6↑v
⎕←2 2⍴v
⎕←((⌈5÷2),2)⍴v,0
⎕←(2↑v),99,2↓v
⎕←(2↑v),3↓v
⎕←(¯2↓v),⌽¯2↑v
⎕←⌽2⌽⌽v
⎕←⊃⌽v
⎕←¯1↑v
⎕←¯1⊥v
⎕←1⊥v
⎕←(⍳≢v)⌽5 5⍴⍳5
⎕←(-⍳2)⌽2 4⍴1 2 0 0
