⍝ ↑ of one record is the vector of its fields, like ⊃; so is what f⍤k gives for a single cell.
⍝ == output a 1
⍝ == output 1 a
⍝ == output 1
⍝ == output 1
⍝ == output 2
⍝ == output a 1 3
⍝ == output 5  1 2 
⍝ == output  ann  b 2 
⍝ == output 1  1 2 
⍝ == output bob is 27
people←('a' 1)('b' 2)
⎕←q←↑people[1]
⎕←⌽q
⎕←2⊃q
⎕←q≡'a' 1
⎕←⍴q
⎕←q,3
⎕←↑⊂5(1 2)
⎕←↑⊂'ann'('b' 2)
⎕←{(≢⍵),⌽⍵}⍤1⊢⊂1 2
names ages←('ann' 'bob')(31 27)
(n a)←↑(↓⍉↑names ages)[⊃⍒names]
⎕←n,' is ',⍕a
