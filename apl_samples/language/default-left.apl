⍝ ⍺←… gives the left argument a value where there is none; where there is one, it is not evaluated.
⍝ == output 11
⍝ == output 6
⍝ == output 8
⍝ == output 3
⍝ == output 10 2
⍝ == output 4 6
⍝ == output 2
f←{⍺←10 ⋄ ⍺+⍵}
⎕←f 1
⎕←5 f 1
root←{⍺←2 ⋄ ⍵*÷⍺}
⎕←root 64
⎕←4 root 81
⎕←(⊢,{⍺←5 ⋄ ⍵÷⍺})10
⎕←1 2{⍺←⎕←'not evaluated' ⋄ ⍺+⍵}3 4
⎕←{⍺←⍵ ⋄ ⍺÷⍵÷2}3
