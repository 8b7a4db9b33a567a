⍝ A function that changes an outer name is applied in order; results that are arrays are items, of any extents.
⍝ == output  1  1 2  1 2 3 
⍝ == output 3
⍝ == output  4 1  6 2  9 3 
⍝ == output  10 10  20 12 
⍝ == output 2 2
⍝ == output  ab    aba   
⍝ == output  abab  ababa 
⍝ == output 0
⍝ == output 10
⍝ == output  0.5 0.5  1 1 1 1 
n←0
⎕←{n+←1 ⋄ ⍳n}¨1 2 3
⎕←n
⎕←{n+←⍵ ⋄ n,⍵}¨1 2 3
⎕←10 20{n+←⍵ ⋄ ⍺,n}¨1 2
t←{n-←⍵ ⋄ (⌊n÷2)⍴'ab'}¨2 2⍴8 ¯2 ¯2 ¯2
⎕←⍴t
⎕←t
⎕←≢{n+←⍵ ⋄ ⍳⍵}¨⍳0
⎕←n
⎕←{n+←⍵ ⋄ n÷(⍵×2)⍴n×2÷⍵}¨1 2
