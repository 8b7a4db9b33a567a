⍝ An outer product with one enclosed item is the function of each element of the other argument, which is computed once.
⍝ == input m int 1 2: 1 2
⍝ == output 2
⍝ == output 2
⍝ == output 3 4
⍝ == output 4 5
x←,(m+0)∘.+⊂1(2 3)
≢x
⊃1⊃x
2⊃1⊃x
2⊃2⊃x
