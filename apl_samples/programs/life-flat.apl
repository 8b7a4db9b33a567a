⍝ Life on a board kept as a vector, row after row: the neighbours are rotations by 1 and by a row. On a torus of 6 by 6 a
⍝ glider is one step down and one to the right after four generations, and still has five cells after 24.
⍝ == input n int: 24
⍝ == output 5
⍝ == output 0 0 0 0 0 0
⍝ == output 0 0 1 0 0 0
⍝ == output 0 0 0 1 0 0
⍝ == output 0 1 1 1 0 0
⍝ == output 0 0 0 0 0 0
⍝ == output 0 0 0 0 0 0
⍝ == output 1
⍝ == output 5
w←6
board←,6 6↑3 3⍴0 1 0 0 0 1 1 1 1
next←{
    row←⍵+(1⌽⍵)+¯1⌽⍵
    all←row+(w⌽row)+(-w)⌽row
    (all=3)∨(all=4)∧⍵=1
}
⎕←+/board
⎕←6 6⍴(next⍣4)board
⎕←((next⍣4)board)≡(-w+1)⌽board=1
⎕←+/(next⍣n)board
