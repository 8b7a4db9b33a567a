⍝ The borders, which wrap around, are peeled off: no modulo and no condition in the loops.
⍝ == input m double 3 3: 1 0 0 0 0 0 0 0 0
⍝ == output ¯4 1 1
⍝ == output  1 0 0
⍝ == output  1 0 0
⍝ == structure {allocs 1, modulo 0, branches 0}
(1⌽m)+(¯1⌽m)+(1⊖m)+(¯1⊖m)-4×m
