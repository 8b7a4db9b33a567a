⍝ ⌸ with the rows of a table as keys, and with its rows as values: ⍵ is a table then.
⍝ == output 2 1
⍝ == output  ann  2
⍝ == output  bob  1
⍝ == output  ann  31 4
⍝ == output  bob  27 2
⍝ == output   ann   62
⍝ == output   bob   27
⍝ == output 2 1
t←↑('ann' 31)('bob' 27)('ann' 31)
{≢⍵}⌸t
{(⊃⍺)(≢⍵)}⌸t
t{⍺,+/⍵}⌸1 2 3
t[;1]{⍺(+/⍵[;2])}⌸t
1 2 1{≢⍵}⌸t
