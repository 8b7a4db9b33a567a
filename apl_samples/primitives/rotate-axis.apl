⍝ With [k] both ⌽ and ⊖ rotate axis k.
⍝ == input m int 3 2: 1 2 3 4 5 6
⍝ == input n int: ¯1
⍝ == output 3 4
⍝ == output 5 6
⍝ == output 1 2
⍝ == output 2 3 1
⍝ == output 5 6 4
⍝ == output 3 4
⍝ == output 1 2
⍝ == output
⍝ == output 7 8
⍝ == output 5 6
⍝ == output 1 4
⍝ == output 3 6
⍝ == output 5 2
⍝ == output 5 6
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 2 1
⍝ == output 4 3
⍝ == output 6 5
⎕←1⌽[1]3 2⍴⍳6
⎕←1⊖[2]2 3⍴⍳6
⎕←1⌽[2]2 2 2⍴⍳8
⎕←0 1⌽[1]3 2⍴⍳6
⎕←n⌽[1]m
⎕←n⊖[2]m
