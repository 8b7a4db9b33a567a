⍝ Keys that equal each other in a chain: a key that equals only keys which were left out belongs to their group,
⍝ and so does each NaN to a group of its own.
⍝ == input v double 5: 1 1.000000000000007 1.000000000000014 2 1
⍝ == input n double 4: nan 1 nan 1
⍝ == output 4 1
⍝ == output 1 11
⍝ == output 2  4
⍝ == output 5 4
⍝ == output 2.75 4
⍝ == output  1 2 3 5  4 
⍝ == output 1 2 1
⍝ == output 1 6 3
⍝ == output 1 1 1 0
{≢⍵}⌸v
{⍺,+/⍵}⌸v
v{⌈/⍵}⌸⍳5
v{(+/⍵)÷≢⍵}⌸⍳5
{⊂⍵}⌸v
{≢⍵}⌸n
n{+/⍵}⌸⍳4
≠n
