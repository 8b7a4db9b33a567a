⍝ Points in space, one a row: how far they are from the origin, their centre, where they are from there, and
⍝ what turns them by a right angle. Their number of coordinates is known when the program runs.
⍝ == input p double 4 3: 3 4 0 0 0 2 6 2 3 ¯9 2 ¯5
⍝ == input turn double 3 3: 0 1 0 ¯1 0 0 0 0 1
⍝ == output 5 2 7 10.48808848
⍝ == output 0 2 0
⍝ == output  3  2  0
⍝ == output  0 ¯2  2
⍝ == output  6  0  3
⍝ == output ¯9  0 ¯5
⍝ == output ¯4  3  0
⍝ == output  0  0  2
⍝ == output ¯2  6  3
⍝ == output ¯2 ¯9 ¯5
norms ← {(+/⍵*2)*0.5}
centre ← {(+⌿⍵)÷≢⍵}
⎕←norms p
⎕←centre p
⎕←p-⍤1⊢centre p
⎕←p+.×turn
