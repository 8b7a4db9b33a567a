⍝ There is a mark for each element, and none is negative; lengths are compared first.
⍝ == input v double 3: 1.5 2.5 3.5
⍝ == case pieces
⍝ == input m int 3: 1 1 2
⍝ == output 2 1
⍝ == case a negative one
⍝ == input m int 3: 1 ¯1 2
⍝ == error 15:3 DOMAIN ERROR: ⊆ needs a count that is not negative, got ¯1
⍝ == case one too few
⍝ == input m int 2: 1 1
⍝ == error 15:3 LENGTH ERROR: ⊆ needs equal lengths, got 2 and 3
⍝ == case one too few, and a negative one
⍝ == input m int 2: ¯1 1
⍝ == error 15:3 LENGTH ERROR: ⊆ needs equal lengths, got 2 and 3
≢¨m⊆v
