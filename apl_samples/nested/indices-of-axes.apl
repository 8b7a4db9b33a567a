⍝ ⍳ of several extents, ⍸ of a matrix, and indexing by what they give.
⍝ == output  1 1  1 2  1 3 
⍝ == output  2 1  2 2  2 3 
⍝ == output  3 2  3 3  3 4 
⍝ == output 10 11 12
⍝ == output 7
⍝ == output 1 12
⍝ == output 2 3 2
⍝ == output 0
⍝ == output 2 3
⍝ == output 3 4
⍝ == output  0 0  0 1 
⍝ == output  1 0  1 1 
⍝ == output 7
m←3 4⍴⍳12
⎕←⍳2 3
⎕←⍸m>9
⎕←m[⍸m>9]
⎕←m[⊂2 3]
⎕←m[(1 1)(3 4)]
⎕←⍴⍳2 3 2
⎕←≢⍸m=0
⎕←+/¨⍳2 2
⎕IO←0
⎕←⍳2 2
⎕←m[⍸m=7]
