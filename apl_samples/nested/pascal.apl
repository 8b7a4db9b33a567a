⍝ Pascal's triangle by binomials and by growth, its sums, and as a picture with each row in the middle.
⍝ == output  1  1 1  1 2 1  1 3 3 1  1 4 6 4 1 
⍝ == output 1 2 4 8 16
⍝ == output 1
⍝ == output     1    
⍝ == output    1 1   
⍝ == output   1 2 1  
⍝ == output  1 3 3 1 
⍝ == output 1 4 6 4 1
⍝ == output 1 6 15 20 15 6 1
rows←{(0,⍳⍵)!⍵}¨0,⍳4
⎕←rows
⎕←+/¨rows
⎕←rows≡{⍵,⊂(⊃⌽⍵){(⍺,0)+0,⍵}⊃⌽⍵}⍣4⊢,⊂,1
width←≢⍕⊃⌽rows
⎕←↑{((⌊2÷⍨width-≢⍵)⍴' '),⍵}∘⍕¨rows
⎕←⊃⌽{⍵,⊂2+/0,(⊃⌽⍵),0}⍣6⊢,⊂,1
