⍝ ↓ with a number for each of the leading axes.
⍝ == input m int 3 2: 1 2 3 4 5 6
⍝ == input n int: ¯1
⍝ == output 5
⍝ == output 7
⍝ == output 1 2
⍝ == output 4 5
⍝ == output 0 0
⍝ == output 2 0
⍝ == output 0 3 4
⍝ == output b
⍝ == output d
⍝ == output 2
⍝ == output 4
⍝ == output 3
⍝ == output 5
⎕←1 0 ¯1↓2 2 2⍴⍳8
⎕←¯1 ¯1↓3 3⍴⍳9
⎕←⍴5 ¯5↓2 3⍴0
⎕←⍴0 4↓2 3⍴0
⎕←⍴2↓2 3 4⍴0
⎕←0 1↓2 2⍴'abcd'
⎕←n 1↓m
⎕←1 n↓m
