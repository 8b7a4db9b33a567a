⍝ The radices are known, so each digit has an expression of its own. Matrices of different shapes do not match, whatever
⍝ stands in places that only one of them has; an index that is too large is an error.
⍝ == input v int 3: 2 9 5
⍝ == input i int 2: 4 5
⍝ == output ¯5 ¯5 ¯2
⍝ == output 0
⍝ == output 1
⍝ == error 12:3 INDEX ERROR: has no element 3 on axis 1, the extent is 2
⎕←(¯3 7⊤v)[2;]-7
⎕←(3 3⍴⍳9)≡¯3 7⊤v
⎕←(i⍸3 4⍴⍳12)≢¯3 7⊤v
⎕←(¯3 7⊤v)[3;1]
