⍝ Monadic , makes a vector of all elements in row-major order; of a scalar a vector of one element.
⍝ == output 5
⍝ == output 1
⍝ == output 1 2 3 4 5 6
⍝ == output
⍝ == output 1 2 3 4 5 6 7 8
⍝ == output 1
⍝ == output
⍝ == output 0
⍝ == output 1 4 2 5 3 6
⎕←,5
⎕←⍴,5
⎕←,2 3⍴⍳6
⎕←,⍬
⎕←,2 2 2⍴⍳8
⎕←⍴,'a'
⎕←,0 3⍴0
⎕←⍴,3 0⍴0
⎕←,⍉2 3⍴⍳6
