⍝ == error 3:13 RANK ERROR: the index names 2
⍝ == error 4:13 RANK ERROR: the index names 1
a←1 2 3 ⋄ b←a[1;2]
m←2 2⍴1 ⋄ c←m[1]
