⍝ Counts are scalars or vectors, and the amounts of a rotation have one axis less than what is rotated.
⍝ == error 9:4 RANK ERROR: /
⍝ == error 10:4 RANK ERROR: \
⍝ == error 11:4 RANK ERROR: ⍴
⍝ == error 12:3 RANK ERROR: ⌽
⍝ == error 13:3 RANK ERROR: ⍪
⍝ == error 14:3 RANK ERROR: ,
⍝ == error 15:4 RANK ERROR: ⌹
a←(2 2⍴1)/1 2
a←(2 2⍴1)\1 2
a←(2 2⍴1)⍴5
a←(2 2⍴0)⌽2 3⍴0
a←(2 2 2⍴0)⍪1 2
a←1 2,[0.5]2 2⍴1
a←⌹2 2 2⍴1
