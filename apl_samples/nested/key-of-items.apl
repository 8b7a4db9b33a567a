⍝ ⌸ with keys that are words, groups of items, and results of any shape.
⍝ == output 2 2 1 1 1 1 1 1
⍝ == output 6 8 3 4 7 8 9 10
⍝ == output  1 3  2 5  4 
⍝ == output 1 3
⍝ == output 2 4
⍝ == output   to  be  or  to  be  is    not  the    that    question  
⍝ == output 1 2
⍝ == output 2 1
⍝ == output 1  0 0  0
⍝ == output 2  5 8 11
⍝ == output 3  4 6  7
⍝ == output 9 10 0  0
⍝ == output  1 3  2 
⍝ == output 6 6
⍝ == output 1 1 0
⍝ == output 2 2
w←' '(≠⊆⊢)'to be or not to be that is the question'
⎕←{≢⍵}⌸w
⎕←w{+/⍵}⌸⍳≢w
⎕←{⊂⍵}⌸3 1 3 2 1
⎕←{⍵}⌸3 1 3 1
⎕←(≢¨w){⊂⍵}⌸w
⎕←1 1 2{⍺,≢⍵}⌸1 2 3
⎕←{⍵}⌸'mississippi'
⎕←{⊂⍵}⌸m←3 2⍴w[1 2 3 4]  ⍝ the keys of a matrix are its rows
⎕←m{≢∊⍺⍵}⌸'xyz'
⎕←≠m
⎕←⍴∪m
