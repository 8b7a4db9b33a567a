⍝ f⍤g: f of what g gives. x f⍥g y: f between g x and g y.
⍝ == output ¯0.25
⍝ == output ¯3
⍝ == output 2
⍝ == output 2
⍝ == output 7
⍝ == output 1
⍝ == output ¯0.25
⍝ == output 14
⎕←-⍤÷4
⎕←1-⍤+2
⎕←≢⍤⍴2 3⍴0
⎕←3|⍤-5
⎕←3+⍥|¯4
⎕←1 2≡⍥≢3 4
⎕←-⍥÷4
⎕←2 3+⍥(+/)4 5
