⍝ Arguments are evaluated from the right, functions in the order of evaluation; the right tine of a fork comes first.
⍝ == output 2
⍝ == output 1
⍝ == output 3
⍝ == output 20
⍝ == output 10
⍝ == output 6
⍝ == output 5
⍝ == output 11
⍝ == output 4
⍝ == output 4
⍝ == output 16
⎕←(⎕←1)+⎕←2
x←(⎕←10)-⎕←20
f←{⎕←⍵} ⋄ g←{⎕←⍵+1}
(f+g)5
h←{a←⎕←⍵ ⋄ b←⎕←a ⋄ 2×a}
⎕←2×h 4
