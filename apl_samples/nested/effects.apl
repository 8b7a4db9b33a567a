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
⍝ == output  1 2 3  3 4 5 7 
⍝ == output  1  3 
⍝ == output  2  6 
⍝ == output 1 2 1 0 0
⍝ == output 3 4 3 4 0
⍝ == output 5 6 5 6 5
⍝ == output   1 2  1 2 15    1 2  1 2 16  
⍝ == output 16
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
n←0
⎕←(1 2)(3 4 5){n+←≢⍵ ⋄ ⍺,n}¨3 4⍴¨1
t←1 2∘.{n+←1 ⋄ (⍺×⍵)⍴n}1 3
⎕←⍴¨t
⎕←{n+←1 ⋄ (n-9)⍴⍵}⍤1⊢3 2⍴⍳6
⎕←{n+←1 ⋄ (⍵)(⍵,n)}¨2⍴⊂1 2
⎕←n
