⍝ Where the greatest product is: one loop finds it, block by block, and the search begins at its block.
⍝ The products are written nowhere.
⍝ == input a double 5: 3 1 4 1 5
⍝ == input b double 5: 2 7 1 8 2
⍝ == output 5
⍝ == structure {allocs 0}
p←a×b
⎕←p⍳⌈/p
