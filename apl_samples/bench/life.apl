⍝ ⍺ generations of Conway's life on the torus ⍵, by rotations: a glider is one cell further down and to the right after
⍝ four.
⍝ == output 0 0 0 0 0 0
⍝ == output 0 0 1 0 0 0
⍝ == output 0 0 0 1 0 0
⍝ == output 0 1 1 1 0 0
⍝ == output 0 0 0 0 0 0
⍝ == output 0 0 0 0 0 0
⍝ == output 1
⍝ == structure {allocs 0, modulo 0, branches 0}
life ← {
    row ← ⍵+(1⌽⍵)+¯1⌽⍵
    sum ← row+(1⊖row)+¯1⊖row
    (sum=3)∨(sum=4)∧⍵
}
run ← {(life⍣⍺)⍵}
glider ← 1=6 6↑3 3⍴0 1 0 0 0 1 1 1 1
⎕←4 run glider
⎕←glider≡24 run glider
