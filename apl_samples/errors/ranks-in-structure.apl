⍝ Counts are scalars or vectors, and the amounts of a rotation have one axis less than what is rotated.
⍝ == error 10:3 RANK ERROR: /
⍝ == error 11:3 RANK ERROR: \
⍝ == error 12:3 RANK ERROR: ⍴
⍝ == error 13:3 RANK ERROR: ⌽
⍝ == error 14:3 RANK ERROR: ⍪
⍝ == error 15:3 RANK ERROR: ,
⍝ == error 16:3 RANK ERROR: ⌹
⍝ == error 17:3 RANK ERROR: ⌷
a←(2 2⍴1)/1 2
a←(2 2⍴1)\1 2
a←(2 2⍴1)⍴5
a←(2 2⍴0)⌽2 3⍴0
a←(2 2 2⍴0)⍪1 2
a←1 2,[0.5]2 2⍴1
a←⌹2 2 2⍴1
a←1 1⌷1 2 3
