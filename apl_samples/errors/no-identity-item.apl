⍝ A function without identity item can reduce an array that is not empty, and no other.
⍝ == case two elements
⍝ == input v bool 2: 1 1
⍝ == output 0
⍝ == case none
⍝ == input v bool 0:
⍝ == error 8:2 DOMAIN ERROR: ⍲/ has no identity item
 ⍲/v
