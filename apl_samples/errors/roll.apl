⍝ There is nothing to draw from below 0, nor from half a number.
⍝ == case negative
⍝ == input n double: ¯1
⍝ == error 11:1 DOMAIN ERROR: ?
⍝ == case not whole
⍝ == input n double: 2.5
⍝ == error 11:2 DOMAIN ERROR: ?
⍝ == case one
⍝ == input n double: 1
⍝ == output 1
?n
