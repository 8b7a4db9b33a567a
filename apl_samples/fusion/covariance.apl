⍝ Three sums over two inputs in one loop; that two are of one input each does not take more.
⍝ == input x int 4: 1 2 3 6
⍝ == case as many of both
⍝ == input y int 4: 2 2 5 7
⍝ == output 5
⍝ == case of one element with each
⍝ == input y int 1: 4
⍝ == output 12
n←≢x
((+/x×y)-(+/x)×(+/y)÷n)÷n-1
