⍝ A vector of one element is no scalar, but counts as one where a single number is needed.
⍝ == input one int 1: 2
⍝ == output 1
⍝ == output
⍝ == output 1
⍝ == output
⍝ == output
⍝ == output 1
⍝ == output 1
⍝ == output 1 1
⍝ == output 2 3 1
⍝ == output 1 2
⍝ == output
⍝ == output 1 2
⍝ == output 1
⍝ == output 3 1 2
⍝ == output 7 7 8 8
⍝ == output 2
⎕←⍴⌽,5
⎕←⍴+/,5
⎕←⍴(,5)∊5
⎕←⍴(,5)⍳5
⎕←⍴(,2)⊥1 0 1
⎕←⍴(,2)⊤5
⎕←⍴2⊤,5
⎕←⍴(,2)⊤,5
⎕←(,1)⌽1 2 3
⎕←(,2)↑1 2 3
⎕←⍴(,2)⊃1 2 3
⎕←⍴(,5)∘.+1 2
⎕←⍴⍉,5
⎕←one⌽1 2 3
⎕←one/7 8
⎕←10⊥one
