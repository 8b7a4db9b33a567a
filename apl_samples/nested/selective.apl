⍝ Selections in arrays of arrays: ⊃ goes into an item, ¨ into each, ∊ into all; others replace whole items.
⍝ == output  1 2  9 4 5  6 7 8 
⍝ == output  1 2  0 4 5  0 7 8 
⍝ == output  0 4 5  1 2 
⍝ == output  10 4 5  20 2 
⍝ == output  1 2 3  4 5 
⍝ == output  1 0 3  0 5 
⍝ == output  1 0 3 7 7  0 5 
⍝ == output   1 99  3 4    5 6  7 8  
⍝ == output   0 99  0 4    0 6  0 8  
⍝ == output  9 9  3 4 5 
⍝ == output  6    9 9   
⍝ == output  aQc  zz  6
⍝ == output  1 2  2 4 2 4  3 6 
⍝ == output  6 7 8 
⍝ == error 32:1 INDEX ERROR: v has no element 4, the length is 3
x←(1 2)(3 4 5)
((2 1)⊃x)←9 ⋄ x,←⊂6 7 8 ⋄ ⎕←x
(⊃¨1↓x)←0 ⋄ ⎕←x
x←2↑x ⋄ (⌽x)←x ⋄ ⎕←x
(1↑¨x)←10 20 ⋄ ⎕←x
(∊x)←⍳5 ⋄ ⎕←x
(((∊x)∊2 4)/∊x)×←0 ⋄ ⎕←x
(1⊃x),←7 7 ⋄ ⎕←x
d←((1 2)(3 4))((5 6)(7 8)) ⋄ ((1 1 2)⊃d)←99 ⋄ ⎕←d
(1↑¨¨d)←0 ⋄ ⎕←d
m←2 2⍴(1 2)(3 4 5)(,6)⍬ ⋄ (1 1⍉m)←⊂9 9 ⋄ ⎕←m
s←'abc' (1 2 3) 5 ⋄ (2⊃s)←'zz' ⋄ ((1 2)⊃s)←'Q' ⋄ (3⊃s)+←1 ⋄ ⎕←s
g←3⍴⊂⍬ ⋄ r←{(⍵⊃g),←⍵×1 2 ⋄ ⍵}¨1 2 3 2 ⋄ ⎕←g
⎕←({q←⍵ ⋄ (⊃q)+←1 ⋄ q}⍣5)⊂1 2 3
v←⍳3
(4↑v)←0
