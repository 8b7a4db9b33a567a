⍝ A scalar function with an axis in brackets: the vector belongs to that axis of the array, each of its elements to a whole
⍝ slice. Along the last axis of a 2 by 3 matrix it has three elements, along the first two.
⍝ == input v int 2: 10 20
⍝ == output 11 12 13
⍝ == output 24 25 26
⍝ == output 101 202 303
⍝ == output 104 205 306
⍝ == output  9  8  7
⍝ == output 16 15 14
m←2 3⍴⍳6
⎕←v+[1]m
⎕←m+[2]100 200 300
⎕←v-[1]m
