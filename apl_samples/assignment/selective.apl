⍝ What a selection does to an array it does to the numbers of its elements: those that are left change.
⍝ == output 0 0 3 4 5
⍝ == output hell0 w0rld
⍝ == output 50 40 30 20 10
⍝ == output 10 30 50
⍝ == output 20 40 60
⍝ == output   1   2   3  4
⍝ == output 105 106 107  8
⍝ == output 109 110 111 12
⍝ == output 7 0 1
⍝ == output 0 5 0
⍝ == output 1 0 1
⍝ == output 1 9 0.5
⍝ == output 8
⍝ == output 3 2 1 0
⍝ == output 1 2
⍝ == output 0
⍝ == output 6 20
⍝ == output 1 2 3 4
⍝ == error 36:2 INDEX ERROR: ⊃ has no element 1, the length is 0
x←y←⍳5
(2↑x)←0
⎕←x
t←'hello world' ⋄ ((t='o')/t)←'0' ⋄ ⎕←t
(⌽x)←10×⍳5 ⋄ ⎕←x
m←2 3⍴0 ⋄ (⍉m)←3 2⍴10×⍳6 ⋄ ⎕←m
m←3 4⍴⍳12 ⋄ (1 ¯1↓m)+←100 ⋄ ⎕←m
m←3 3⍴0 ⋄ (1 0 1/1 0 1⌿m)←1 ⋄ (2 2⌷m)←5 ⋄ (⊃m)←7 ⋄ ⎕←m
v←1 2 3 ⋄ (2⊃v)←9 ⋄ (¯1↑v)÷←6 ⋄ ⎕←v
s←3 ⋄ (⊃s)+←5 ⋄ ⎕←s
count←{r←4⍴0 ⋄ _←{(⍵↑r)+←1 ⋄ ⍵}¨⍳3 ⋄ r} ⋄ ⎕←count 0
⎕←{w←⍵ ⋄ ⎕←(2↑w)←1 2 ⋄ (0↑w)←9 ⋄ +/w>9}⍳3
(a b)←2 4 ⋄ (a b)×←3 5 ⋄ ⎕←a b
⎕←4↑y
e←⍬
(⊃e)←1
