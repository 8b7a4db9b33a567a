⍝ How long something in a cell is stands in the cell itself: each sum is over as many elements as its number says, repeated
⍝ from the beginning.
⍝ == case some
⍝ == input v int 4: 3 4 0 2
⍝ == output 6 7 0 3
⍝ == output 1 1 9223372036854775807 1
⍝ == case none
⍝ == input v int 0:
⍝ == output
⍝ == output
⍝ == case a negative one
⍝ == input v int 2: 3 ¯1
⍝ == error 14:7 DOMAIN ERROR: ⍴ needs extents that are not negative, got ¯1
⎕←({+/⍵⍴⍳3}⍤0)v
⎕←({⌊/⍵⍴⍳3}⍤0)v
