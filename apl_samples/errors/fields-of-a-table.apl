⍝ Which column of a table is meant must be known before the program runs, as its columns differ in type.
⍝ == input k int : 2
⍝ == error 5:5 UNSUPPORTED: name them with constants
t←↑('ann' 31)('bob' 27)
t[1;k]
