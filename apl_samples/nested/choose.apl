⍝ What arranges or chooses items: they are where they were, and nothing is copied.
⍝ == output 4
⍝ == output 4
⍝ == output  4 5  6 7 
⍝ == output 4 5
⍝ == output 7
⍝ == output 6
⍝ == output 1 2 3
⍝ == output  6 7    4 5  1 2 3 
⍝ == output  4 5    6 7  1 2 3 
⍝ == output  1 2 3  4 5 
⍝ == output  1 2 3  4 5   
⍝ == output  1 2 3  4 5    6 7  0 0 0 
⍝ == output  1 2 3    6 7 
⍝ == output  1 2 3  4 5 
⍝ == output         6 7 
⍝ == output  1 2 3      
⍝ == output  4 5    6 7 
⍝ == output  1 2 3  4 5    6 7  8 9 
⍝ == output  8 9  1 2 3  4 5    6 7 
⍝ == output 1 2 3 4 5 6 7
⍝ == output 1 2 3 4 5 6 7
⍝ == output 10 12
⍝ == output 6 7
x←(⍳3)(4 5)(⍳0)(6 7)
⎕←≢x
⎕←⍴x
⎕←x[2 4]
⎕←2⊃x
⎕←2⊃4⊃x
⎕←4 1⊃x
⎕←⊃x
⎕←⌽x
⎕←1⌽x
⎕←2↑x
⎕←¯1↓x
⎕←5↑x
⎕←1 0 1 1/x
⎕←2 2⍴x
⎕←⍉2 2⍴x
⎕←x,⊂8 9
⎕←(⊂8 9),x
⎕←∊x
⎕←⊃,/x
⎕←⊃+/x[2 4]
⎕←⊃⌽,2 2⍴x
