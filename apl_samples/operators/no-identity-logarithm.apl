⍝ A logarithm has no identity item: base x of y is y for no single x. Of one element ⍟/ is that element.
⍝ == case two elements
⍝ == input v double 2: 2 8
⍝ == output 3
⍝ == case one
⍝ == input v double 1: 8
⍝ == output 8
⍝ == case none
⍝ == input v double 0:
⍝ == error 11:3 DOMAIN ERROR: has no identity item
⎕←⍟/v
