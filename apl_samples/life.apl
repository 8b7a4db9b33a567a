⍝ Conway's life by rotation: a blinker turns, a glider moves down and right by one cell in four generations.
⍝ == output 0 0 0 0 0
⍝ == output 0 0 1 0 0
⍝ == output 0 0 1 0 0
⍝ == output 0 0 1 0 0
⍝ == output 0 0 0 0 0
⍝ == output 1
⍝ == output 1
life ← {
    row ← ⍵+(1⌽⍵)+¯1⌽⍵
    sum ← row+(1⊖row)+¯1⊖row
    (sum=3)∨(sum=4)∧⍵=1
}
blinker ← 5 5↑3 5⍴0 0 0 0 0 0 0 0 0 0 0 1 1 1 0
⎕←life blinker
⎕←(blinker=1)≡life life blinker
glider ← 6 6↑3 3⍴0 1 0 0 0 1 1 1 1
⎕←(¯1⌽¯1⊖glider=1)≡life life life life glider
