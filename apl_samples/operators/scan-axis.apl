⍝ f\ runs along the last axis, f⍀ along the first, f\[k] along axis k.
⍝ == input m int 3 2: 1 2 3 4 5 6
⍝ == output 1 3  6
⍝ == output 4 9 15
⍝ == output 1 2 3
⍝ == output 5 7 9
⍝ == output 1 2 3
⍝ == output 5 7 9
⍝ == output 1 3  6
⍝ == output 4 9 15
⍝ == output  1  2
⍝ == output ¯2 ¯2
⍝ == output  3  4
⍝ == output  1  2
⍝ == output ¯2 ¯2
⍝ == output  3  4
⍝ == output 1 ¯1
⍝ == output 3 ¯1
⍝ == output 5 ¯1
⍝ == output  1  2
⍝ == output  3  8
⍝ == output
⍝ == output  5  6
⍝ == output 35 48
⍝ == output  1  2
⍝ == output  3  4
⍝ == output
⍝ == output  6  8
⍝ == output 10 12
⍝ == output 0 3
⍝ == output 3 0
⍝ == output 1 3 6
⎕←+\2 3⍴⍳6
⎕←+⍀2 3⍴⍳6
⎕←+\[1]2 3⍴⍳6
⎕←+⍀[2]2 3⍴⍳6
⎕←-⍀3 2⍴⍳6
⎕←-⍀m
⎕←-\m
⎕←×\[2]2 2 2⍴⍳8
⎕←+⍀2 2 2⍴⍳8
⎕←⍴+\0 3⍴0
⎕←⍴+⍀3 0⍴0
⎕←+⍀1 2 3
