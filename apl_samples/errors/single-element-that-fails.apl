⍝ A single element extends to any length, also to none: that it cannot be computed is an error all the same.
⍝ == case beside nothing
⍝ == input v double 0:
⍝ == input w double 1: 0
⍝ == error 14:3 DOMAIN ERROR: ÷ divides by zero
⍝ == case beside elements
⍝ == input v double 2: 1 2
⍝ == input w double 1: 0
⍝ == error 14:3 DOMAIN ERROR: ÷ divides by zero
⍝ == case one that does not fail
⍝ == input v double 2: 1 2
⍝ == input w double 1: 4
⍝ == output 1.25 2.25
v+÷w
