⍝ f/[k] reduces axis k, which is missing from the result; f⌿[k] is the same. -/ of three is a-b-c = a-(b-c).
⍝ == input m double 2 3: 1 2 3 4 5 6
⍝ == output 5 7 9
⍝ == output 6 15
⍝ == output 6 15
⍝ == output 5 7 9
⍝ == output 15 18 21 24
⍝ == output 51 54 57 60
⍝ == output  5  6  7  8
⍝ == output 17 18 19 20
⍝ == output 13 14 15 16
⍝ == output 17 18 19 20
⍝ == output 21 22 23 24
⍝ == output 2 3
⍝ == output 5 7 9
⍝ == output 41 52 63
⍝ == output 18
⍝ == output 0 0
⍝ == output 4 3
m2←2 3⍴⍳6
c←2 3 4⍴⍳24
⎕←+/[1]m2
⎕←+/[2]m2
⎕←+⌿[2]m2
⎕←+⌿[1]m2
⎕←+/[2]c
⎕←-/[2]c
⎕←⌈/[1]c
⎕←⍴×/[3]c
⎕←+/[1]m
⎕←{⍺+10×⍵}/[1]m
⎕←+/[1]5 6 7
⎕←+/[1]0 2⍴0
⎕←⍴+/[2]4 0 3⍴0
