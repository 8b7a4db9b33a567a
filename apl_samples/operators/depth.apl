⍝ f⍥k applies f to items of depth k or less. 0 is scalars, 1 arrays of scalars; ¯1 is one level below the whole.
⍝ == output 2 3
⍝ == output 4 5
⍝ == output 2 3
⍝ == output 2
⍝ == output  3 7  11
⍝ == output 2 3
⍝ == output  6 8  8 10 
⍝ == output  1 2 3 4  1 2 5 6 
⍝ == output  1 2 5  3 4 6 
⍝ == output 3 8
⍝ == output 204
⍝ == output 6
⎕←{⍵+1}⍥0⊢2 2⍴⍳4
⎕←≢⍥1⊢(1 2)(3 4 5)
⎕←≢⍥2⊢(1 2)(3 4 5)
⎕←+/⍥1⊢((1 2)(3 4))(5 6)
⎕←≢⍥¯1⊢(1 2)(3 4 5)
⎕←(1 2)(3 4)+⍥1⊢5 6
⎕←1 2,⍥1⊢(3 4)(5 6)
⎕←(1 2)(3 4),⍥1 0⊢5 6
⎕←1 2×⍥0⊢3 4
f←{⍺+⍵}
⎕←200f 4
⎕←3f 2f 1
