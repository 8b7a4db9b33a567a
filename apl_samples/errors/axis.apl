⍝ Axes are counted from 1, and a new one needs a place next to the old ones.
⍝ == error 10:6 AXIS ERROR: 3
⍝ == error 11:6 AXIS ERROR: 0
⍝ == error 12:5 AXIS ERROR: 3
⍝ == error 13:6 AXIS ERROR: 2
⍝ == error 14:8 AXIS ERROR: 2
⍝ == error 15:8 AXIS ERROR: 3
⍝ == error 16:3 AXIS ERROR: ,
⍝ == error 17:5 AXIS ERROR: 1.5
a←+/[3]2 2⍴1
a←+\[0]2 2⍴1
a←⌽[3]2 2⍴1
a←1⊖[2]1 2
a←1 2/[2]3 4
a←1 2,[3]3 4
a←1 2,[2.5]3 4
a←⌽[1.5]1 2
