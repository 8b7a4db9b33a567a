⍝ ⍳ of a count that only the run knows.
⍝ == case none
⍝ == input n int: 0
⍝ == input d double: 0
⍝ == output
⍝ == output 0
⍝ == output
⍝ == output 0
⍝ == case some
⍝ == input n int: 4
⍝ == input d double: 2
⍝ == output 1 2 3 4
⍝ == output 4
⍝ == output 1 2
⍝ == output 10
⎕←⍳n
⎕←⍴⍳n
⎕←⍳d
⎕←+/⍳n
