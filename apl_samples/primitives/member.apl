⍝ Dyadic ∊ says of each element on the left whether it is among those on the right; a character is not among numbers.
⍝ == input v int 4: 1 5 3 5
⍝ == input w int 2: 5 3
⍝ == input e double 0:
⍝ == output 1
⍝ == output 1 0 1
⍝ == output 1 1 0
⍝ == output 1 0
⍝ == output 0 1
⍝ == output 1
⍝ == output 1
⍝ == output 0
⍝ == output
⍝ == output 0 0
⍝ == output 1 0
⍝ == output 1 0
⍝ == output 0 1 1 1
⍝ == output 0 0 0 0
⍝ == output 2
⎕←2∊1 2 3
⎕←1 5 3∊1 2 3
⎕←'bad'∊'abc'
⎕←(2 2⍴⍳4)∊4 1
⎕←3∊2 2⍴⍳4
⎕←5∊5
⎕←'a'∊1 2
⎕←⍬∊1
⎕←1 2∊⍬
⎕←1.0 1.5∊1
⎕←1 2∊1=1 0
⎕←v∊w
⎕←v∊e
⎕←+/v∊5
