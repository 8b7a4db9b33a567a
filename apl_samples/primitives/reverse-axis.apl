⍝ With [k] both ⌽ and ⊖ turn axis k round.
⍝ == input m int 2 3: 1 2 3 4 5 6
⍝ == output 4 5 6
⍝ == output 1 2 3
⍝ == output 3 2 1
⍝ == output 6 5 4
⍝ == output 3 4
⍝ == output 1 2
⍝ == output
⍝ == output 7 8
⍝ == output 5 6
⍝ == output 3 2 1
⍝ == output 4 5 6
⍝ == output 1 2 3
⍝ == output 3 2 1
⍝ == output 6 5 4
⎕←⌽[1]2 3⍴⍳6
⎕←⊖[2]2 3⍴⍳6
⎕←⌽[2]2 2 2⍴⍳8
⎕←⌽[1]1 2 3
⎕←⌽[1]m
⎕←⊖[2]m
