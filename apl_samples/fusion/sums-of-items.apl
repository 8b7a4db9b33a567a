⍝ Sums over the items of a vector that is cut: one walk along the marks, and a loop over the items with one for
⍝ the blocks and one for the rest of each. Neither items nor lengths are written, the places of the items are.
⍝ == case items of several elements
⍝ == input m bool 6: 1 0 0 1 1 0
⍝ == input v double 6: 1 2 3 4 5 6
⍝ == output 6 4 11
⍝ == structure {allocs 2}
⍝ == case items of one element
⍝ == input m bool 3: 1 1 1
⍝ == input v double 3: 1 2 3
⍝ == output 1 2 3
⍝ == case nothing is marked
⍝ == input m bool 3: 0 0 0
⍝ == input v double 3: 1 2 3
⍝ == output
+/¨m⊂v
