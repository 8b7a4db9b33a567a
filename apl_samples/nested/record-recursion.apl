⍝ A function that calls itself takes records of which more is known in one call than in another: the items of a field
⍝ all have two elements first.
⍝ == input n int : 1
⍝ == input name char 2: 'ab'
⍝ == output 0
⍝ == output  1  4 5 6  ab   ¯1  2 3  ab
turned←{0=≢⍵:⍵ ⋄ (∇1↓⍵),⊂⊃⍵}
none←0⍴⊂(¯1 (2 3) name)
≢(turned⍣n){(3<1⊃¨⍵)/⍵}none
(turned⍣n)(⊂¯1 (2 3) name),⊂1 (4 5 6)name
