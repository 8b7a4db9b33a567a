⍝ Which major cells of a matrix did not occur before. What they keep is what ∪ gives.
⍝ == input m int 4 2: 1 2 3 4 1 2 4 3
⍝ == input d double 3 2: 1 nan 1 nan 0 1
⍝ == output 1 1 0 1
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 4 3
⍝ == output 1
⍝ == output 1 1 1
⍝ == output 1 1 0
⍝ == output 1 0
⍝ == output 0
⎕←≠m
⎕←m⌿⍨≠m
⎕←(∪m)≡m⌿⍨≠m
⎕←≠d
⎕←≠3 2⍴'abbaab'
⎕←≠2 2 3⍴⍳6
⎕←≢≠0 3⍴m
