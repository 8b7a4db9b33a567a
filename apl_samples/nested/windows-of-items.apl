⍝ Reductions of windows of items; ∊ and indices of strands with items inside; rows of items that are filled up.
⍝ == output  1 2 3  3 4 5 
⍝ == output  3 1 2  4 5 3 
⍝ == output 0 0 1
⍝ == output  1 2 3  3 4 5 
⍝ == output  3 1 2  4 5 3 
⍝ == output  ab-cd-ef  cd-ef-g 
⍝ == output 1 ¯1
⍝ == output  3  5 6 
⍝ == output  1  3 4 
⍝ == output   1 2  ab    ab  1 2  
⍝ == output                  3 4  
⍝ == output 0
⍝ == output 1 2 3 4 5
⍝ == output 1 2 1 2 3 4 5
⍝ == output 
⍝ == output 1 1 1
⍝ == output 2 2 2
⍝ == output 3 3 3
⍝ == output  1 2  1 2 
⍝ == output  3 4      
⍝ == output 1
⍝ == output 
⍝ == output 2 1
⍝ == output 2 2
⍝ == output 4 3
⍝ == output 3 4
⍝ == output 0
⍝ == output 0
x←1 0 1 1 0⊂1 2 3 4 5
⎕←2,/x
⎕←¯2,/x
⎕←2≡/x,⊂4 5
n←2
⎕←n,/x
⎕←(-n),/x
⎕←3{⍺,'-',⍵}/'ab' 'cd' 'ef' 'g'
⎕←2{(≢⍺)-≢⍵}/x
⎕←2+/1 1 1 0⊂1 2 3 4
⎕←+\1 1 0⊂1 2 3
⎕←2{⍺ ⍵}/(1 2)'ab'(2 2⍴⍳4)
⎕←≢4,/x
⎕←∊⊂x
⎕←∊(1 2)x
⎕←⍴2↑¨2{⍺≤0:⍵ ⋄ (⍺-1)∇ ⌽¨⍵}⊂1 2 3
⎕←≢¨↑{⍵↑⊂⍳⍵}¨⍳3
⎕←((1 2)'ab'(2 2⍴⍳4))[3 1]
⎕←⍴((1 2)'ab'(2 2⍴⍳4))[,2]
⎕←⍴((1 2)'ab'(2 2⍴⍳4))[2]
⎕←⍴2,/2 2⍴x
⎕←⍴m←2,⌿3 2⍴x
⎕←≢¨m
⎕←n≡/2 2⍴x,x
