⍝ A scalar function with an axis in brackets: the vector belongs to that axis of the array, each of its elements to a whole
⍝ slice. Along the last axis of a 2 by 3 matrix it has three elements, along the first two.
⍝ A matrix belongs to two axes of three.
⍝ == input v int 2: 10 20
⍝ == output 11 12 13
⍝ == output 24 25 26
⍝ == output 101 202 303
⍝ == output 104 205 306
⍝ == output  9  8  7
⍝ == output 16 15 14
⍝ == output 11 22 33
⍝ == output 14 25 36
⍝ == output
⍝ == output 47 58 69
⍝ == output 50 61 72
⍝ == output  ¯3 ¯12
⍝ == output ¯17 ¯26
⍝ == output 6  7  8
⍝ == output 9 10 11
m←2 3⍴⍳6
⎕←v+[1]m
⎕←m+[2]100 200 300
⎕←v-[1]m
⎕←(2 2 3⍴⍳12)+[1 3]10×m
⎕←(+/2 2⍴⍳4)-[1]+/(2 2 3⍴⍳12)×[2 3]m=m
⎕←5+[1]m
