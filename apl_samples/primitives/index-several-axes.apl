⍝ ⌷ with axes: an enclosed vector takes several places along one of them.
⍝ == output 2 6 10
⍝ == output 9 10 11 12
⍝ == output 1  2  3  4
⍝ == output  4 1 1
⍝ == output  8 5 5
⍝ == output 12 9 9
⍝ == output 5  8
⍝ == output 9 12
⍝ == output 8 12
⍝ == output 7 10
⍝ == output 1 2 3 4 5 6
m←3 4⍴⍳12
⎕←2⌷[2]m
⎕←(⊂3 1)⌷m
⎕←(⊂4 1 1)⌷[2]m
⎕←(2 3)(1 4)⌷[1 2]m
⎕←(2 3)4⌷[2 1]⍉m
⎕←(2 3⌷[1 2]m),2 3⌷[2 1]m
⎕←∊(1 2)(3(4 5))6
