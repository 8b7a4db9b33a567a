⍝ The line that made Conway's life famous: nine boards, rotated by -1, 0 and 1 along both axes, are added up.
⍝ == output 0 0 0 0 0
⍝ == output 1 0 1 0 0
⍝ == output 0 1 1 0 0
⍝ == output 0 1 0 0 0
⍝ == output 0 0 0 0 0
life ← {↑1 ⍵∨.∧3 4=+/,¯1 0 1∘.⊖¯1 0 1∘.⌽⊂⍵}
run  ← {(life⍣⍺)⍵}
⎕←1 run 5 5↑3 3⍴0 1 0 0 0 1 1 1 1
