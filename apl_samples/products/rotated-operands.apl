⍝ Operands of a product that are rotated and extended are not stored; the loops are cut where an index wraps.
⍝ == input a int 2 3: 1 2 3 4 5 6
⍝ == input b int 3 2: 1 2 3 4 5 6
⍝ == output 22 28 11
⍝ == output 49 64 29
(1⌽a)+.×(1⊖b),⍳3
