⍝ How many answers each two of six people share: an inner product of comparisons. The transpose is
⍝ written to memory, as each of its elements is wanted six times; where there are many people, so is a panel of it.
⍝ == input a int 6 5: 1 2 3 4 5 1 2 3 4 5 1 2 0 0 0 9 2 9 4 9 0 0 0 0 0 1 2 3 0 0
⍝ == output 5 5 2 2 0 3
⍝ == output 5 5 2 2 0 3
⍝ == output 2 2 5 1 3 4
⍝ == output 2 2 1 5 0 1
⍝ == output 0 0 3 0 5 2
⍝ == output 3 3 4 1 2 5
⍝ == structure {allocs 3, modulo 0}
a+.=⍉a
