⍝ ↓ makes the rows of an array items, ↑ makes items the rows of an array, filled up to the longest.
⍝ == output  1 2 3  4 5 6 
⍝ == output 2
⍝ == output 2 3
⍝ == output  1 4  2 5  3 6 
⍝ == output 1
⍝ == output 1 2 0
⍝ == output 3 4 5
⍝ == output 1 0 0
⍝ == output 0 0
⍝ == output  1 2 3 
⍝ == output 3 4
⍝ == output 6 15
⍝ == output 5 7 9
⍝ == output  1 4  2 5  3 6 
⍝ == output 3
m←2 3⍴⍳6
⎕←↓m
⎕←≡↓m
⎕←⍴↓2 3 4⍴⍳24
⎕←↓[1]m
⎕←m≡↑↓m
⎕←↑(1 2)(3 4 5)(⍳1)
⎕←⍴↑0⍴↓m
⎕←↓⍳3
⎕←↑3 4
⎕←+/¨↓m
⎕←+⌿↑↓m
⎕←⊂[1]m
⎕←⍴⊂[1 3]2 3 4⍴0
