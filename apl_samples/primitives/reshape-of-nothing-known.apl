⍝ Elements that there are none of are not looked for: their number, by which positions are divided, is 0.
⍝ == case none
⍝ == input n int: 0
⍝ == output 0 0
⍝ == output 0 0 0
⍝ == case one
⍝ == input n int: 1
⍝ == output 1 1
⍝ == output 2 2 2
⍝ == case more
⍝ == input n int: 3
⍝ == output 1 1
⍝ == output 2 2 2
2⍴=⍀(1 n)⍴1
3⍴,(n 1)⍴2
