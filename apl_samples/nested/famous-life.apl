⍝ The game of Life in one line: all neighbours as an array of boards, added up.
⍝ == output 0 0 0 0 0
⍝ == output 1 0 1 0 0
⍝ == output 0 1 1 0 0
⍝ == output 0 1 0 0 0
⍝ == output 0 0 0 0 0
⍝ == output 0 0 0 0 0
⍝ == output 0 0 1 0 0
⍝ == output 0 0 0 1 0
⍝ == output 0 1 1 1 0
⍝ == output 0 0 0 0 0
⍝ == structure {allocs 0, modulo 0}
life←{↑1 ⍵∨.∧3 4=+/,¯1 0 1∘.⊖¯1 0 1∘.⌽⊂⍵}
glider←5 5↑3 3⍴0 1 0 0 0 1 1 1 1
⎕←life glider
⎕←(life⍣4)glider
