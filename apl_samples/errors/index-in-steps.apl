⍝ The first of the numbers in steps along two axes that is wrong is told: 6 stands in the third row.
⍝ == input v double 5: 1 2 4 8 16
⍝ == error 4:1 INDEX ERROR: v has no element 6, the length is 5
v[(⍳4)∘.+⍳3]
