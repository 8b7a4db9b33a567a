⍝ k-means: each point goes to the nearest centre, and centres move to the means of their points, until none
⍝ moves. Points around (1,1), (1,9) and (9,5): the means of (0 1)(1 0)(2 2), (1 8)(0 10)(2 9) and (9 5)(10
⍝ 4)(8 6).
⍝ == output 1 2 3 1 1 2 3 2 3
⍝ == output 1 1
⍝ == output 1 9
⍝ == output 9 5
⍝ == output 3 3 3
points←9 2⍴0 1  1 8  9 5  1 0  2 2  0 10  10 4  2 9  8 6
nearest←{{⍵⍳⌊/⍵}¨↓(↓⍺)∘.{+/(⍺-⍵)*2}↓⍵}
move←{↑(points nearest ⍵){⊂(+⌿÷≢)points[⍵;]}⌸⍳≢points}
centres←move⍣≡1.0×points[1 2 3;]
⎕←points nearest centres
⎕←centres[1;]
⎕←centres[2;]
⎕←centres[3;]
⎕←{≢⍵}⌸points nearest centres
