⍝ Tables of items written one behind the other: ⍴, ⍪ and ,[k] of strands whose columns, or rows, have types of their own.
⍝ == output  ann  31
⍝ == output  bob  27
⍝ == output  cid   5
⍝ == output 1
⍝ == output  ann  31
⍝ == output  bob  27
⍝ == output  cid   5
⍝ == output  name  age
⍝ == output    31   27
⍝ == output 1 x
⍝ == output 1 x
⍝ == output 1 x
⍝ == output 1 x
⍝ == output 1  ab  1  ab  1
⍝ == output  ab
⍝ == output   3
⍝ == output 2 1
⍝ == output  name  bob
⍝ == output  age   x
⍝ == output  name  age
⍝ == output    31   27
⍝ == output  name  bob
⍝ == output  age   x
⍝ == output  ab  3
⍝ == output  cd  4
m←3 2⍴'ann' 31 'bob' 27 'cid' 5
m
m≡↑('ann' 31)('bob' 27)('cid' 5)
m[⍒m[;2];]
2 2⍴'name' 'age' 31 27
4 2⍴1 'x'
5⍴1 'ab'
⍪'ab' 3
⍴⍪'ab' 3
('name' 'age'),⍪'bob' 'x'
('name' 'age'),[0.5]31 27
('name' 'age'),[1.5]'bob' 'x'
('ab' 3),[0.5]'cd' 4
