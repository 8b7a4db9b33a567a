⍝ Cells and axes of arrays of arrays: ⍤, folds and scans of rows, ↓ ⊂ ⊆ ↑ and , along axes.
⍝ == output 3 3
⍝ == output  6  3 4 5  1 2 
⍝ == output  6  3 4 5  1 2 
⍝ == output  1 2 3 4 5 6  1 2 3 4 5 6 
⍝ == output 3 12 6
⍝ == output  1 2 3 4  5 6 7 8 
⍝ == output  1 2 5 6  3 4 7 8 
⍝ == output  1 2  1 2 3 4 
⍝ == output  5 6  5 6 7 8 
⍝ == output  1 2  3 4  
⍝ == output  6 8  10 12 
⍝ == output   1 2  3 4    5 6  7 8  
⍝ == output   1 2  5 6    3 4  7 8  
⍝ == output  1 2 3 4  5  6  7  8 
⍝ == output           9 10 11 12 
⍝ == output 1 3 4
⍝ == output  1 2   4 
⍝ == output  5 6   8 
⍝ == output  9 10  12 
⍝ == output 3 2
⍝ == output  1 2  5 6 
⍝ == output  3 4  7 8 
⍝ == output  1 2  3 4 
⍝ == output  5 6  7 8 
⍝ == output 0 0
⍝ == output 2 0
⍝ == output 1 1
⍝ == output 2 1
⍝ == output  2 4  3 5 
⍝ == output  2 
⍝ == output  4 
x←2 3⍴(1 2)(3 4 5)(,6)
⎕←≢⍤1⊢x
⎕←⌽⍤1⊢x
⎕←{⊂∊⍵}⍤1⊢x
⎕←(+/⊃)⍤0⊢x[1;]
m←2 2⍴(1 2)(3 4)(5 6)(7 8)
⎕←,/m
⎕←,⌿m
⎕←,\m
⎕←+⍀m
⎕←↓m
⎕←⊂[1]m
⎕←1 1 0⊂[1]3 4⍴⍳12
⎕←⊃¨1 0 1 1⊂[2]3 4⍴⍳12
⎕←1 1 0 2⊆3 4⍴⍳12
⎕←⍴↑[0.5](1 2 3)(4 5 6)
⎕←(1 2)(3 4),[1.5](5 6)(7 8)
⎕←(1 2)(3 4),[0.5](5 6)(7 8)
⎕←(≢,/0 2⍴⊂1 2),≢≢⍤1⊢0 2⍴⊂1 2
⎕←⍴0 0 0⊆2 3⍴⍳6
n←0 ⋄ ⎕←{n+←1 ⋄ n,⊃⍵}⍤1⊢2 1⍴⊂,1
⎕←⊂[1]1+2 2⍴⍳4
⎕←1 0⊆1+2 2⍴⍳4
