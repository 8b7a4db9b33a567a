⍝ An element that is named twice in a short index changes twice, also where its old value is used more than once.
⍝ == input v int 2: 1 2
⍝ == output 12 8
⍝ == output ¯2 1
⍝ == output 2 26
⍝ == output 6079 4
u←v
u[1 1 2]{⍵+⍺×⍺}←2 3 4
⎕←u
u←v
u[1 1 2]-←3⍴v
⎕←u
u←1+v
u[2 2]{⍵+⍺×⍺}←¯4 1
⎕←u
m←2 2⍴3 1 2 4
m[1;1 1 1]{⍵+⍺×⍺}←1⊖¯5 0 ¯3
⎕←m[1;1],m[2;2]
