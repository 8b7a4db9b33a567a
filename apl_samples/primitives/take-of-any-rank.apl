⍝ ↑ with a number for each of the leading axes. What is missing is filled on the side where it is missing.
⍝ == input m int 2 2: 1 2 3 4
⍝ == input n int: ¯3
⍝ == output 0 5 6
⍝ == output 1 2 3
⍝ == output 0 0
⍝ == output 0 0
⍝ == output 0 0
⍝ == output 0 0
⍝ == output 0 0
⍝ == output 0 5
⍝ == output 2 3
⍝ == output cd
⍝ == output  ab
⍝ == output  cd
⍝ == output
⍝ == output 0 2
⍝ == output 0
⍝ == output 1
⍝ == output 3
⍝ == output 0 1 2
⎕←¯1 1 ¯3↑2 2 2⍴⍳8
⎕←⍴1 2 3↑2 2 2⍴0
⎕←2 2↑0 0⍴0
⎕←2↑0 2⍴7
⎕←¯2 ¯2↑5
⎕←⍴2 3↑'a'
⎕←¯1 3↑2 2⍴'abcd'
⎕←3 ¯3↑2 2⍴'abcd'
⎕←⍴0 2↑3 3⍴0
⎕←n 1↑m
⎕←1 n↑m
