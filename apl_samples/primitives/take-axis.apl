⍝ With [k] ↑ and ↓ take and drop along axis k only.
⍝ == input m int 2 3: 1 2 3 4 5 6
⍝ == input n int: ¯1
⍝ == output 1 2
⍝ == output 4 5
⍝ == output 4 5 6
⍝ == output 0 1 2 3
⍝ == output 0 4 5 6
⍝ == output 1 2
⍝ == output 4 5
⍝ == output 4 5 6
⎕←2↑[2]2 3⍴⍳6
⎕←1↓[1]2 3⍴⍳6
⎕←¯4↑[2]2 3⍴⍳6
⎕←n↓[2]m
⎕←n↑[1]m
