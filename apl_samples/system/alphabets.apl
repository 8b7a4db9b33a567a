⍝ ⎕A and ⎕D: letters and digits, as tables to look up in. Names of the system may be written in lower case.
⍝ == output ABCDEFGHIJKLMNOPQRSTUVWXYZ
⍝ == output 0123456789
⍝ == output 26
⍝ == output 3 1 20
⍝ == output 4072
⍝ == output CAT
⍝ == output 703
⍝ == output 0 0 0 0 0 1 1 1
⍝ == output 1 1 1 1 1
⍝ == output EDCBA
⎕←⎕A
⎕←⎕D
⎕←≢⎕a
⎕←⎕A⍳'CAT'
⎕←10⊥¯1+⎕D⍳'4072'
⎕←⎕A[3 1 20]
⎕←⎕d[1+7 0 3]
⎕←'Room 101'∊⎕D
⎕←+/'HELLO'∘.=⎕A
⎕←⌽5↑⎕A
