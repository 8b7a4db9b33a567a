⍝ What can be reached in a graph: each round combines the rows of the nodes that it has found. The rows are read where they
⍝ are, and the matrix is not transposed first.
⍝ == input a bool 5 5: 0 1 0 0 0 0 0 1 0 0 1 0 0 0 0 0 0 0 0 1 0 0 0 1 0
⍝ == case from the first node
⍝ == input b bool 5: 1 0 0 0 0
⍝ == output 1 1 1 0 0
⍝ == structure {allocs 6, modulo 0}
⍝ == case from the fourth one
⍝ == input b bool 5: 0 0 0 1 0
⍝ == output 0 0 0 1 1
{⍵∨∨⌿⍵⌿a}⍣≡b
