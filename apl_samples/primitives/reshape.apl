⍝ Dyadic ⍴ takes elements in row-major order, again from the start when they run out, and fills (0 or a blank)
⍝ if there are none. ⍬⍴ makes a scalar of the first. An array without rows prints nothing; one with rows but
⍝ without columns prints its empty rows.
⍝ == input n int: 2
⍝ == output 1 2 1 2 1
⍝ == output 1 2 3
⍝ == output 4 1 2
⍝ == output 7
⍝ == output
⍝ == output 0 0 0
⍝ == output 1
⍝ == output
⍝ == output
⍝ == output
⍝ == output 0 3
⍝ == output 1 2
⍝ == output 3 1
⍝ == output
⍝ == output 2 3
⍝ == output 1 2
⍝ == output abab
⍝ == output 5 5
⍝ == output 1 2 3 4
⍝ == output 1 2 3
⍝ == output 1 2 3
⍝ == output 2 0
⍝ == output 5 5 5
⎕←5⍴1 2
⎕←2 3⍴⍳4
⎕←⍬⍴7 8
⎕←⍴⍬⍴7 8
⎕←3⍴⍬
⎕←∧/' '=,2 2⍴''
⎕←0⍴5
⎕←2 0⍴9
⎕←0 3⍴9
⎕←⍴0 3⍴9
⎕←2 2 2⍴⍳3
⎕←4⍴'ab'
⎕←2.0⍴5
⎕←(2×n)⍴⍳4
⎕←n 3⍴⍳3
⎕←⍴n 0⍴1
⎕←(1+n)⍴5
