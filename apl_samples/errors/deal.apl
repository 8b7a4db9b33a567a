⍝ No more numbers than there are.
⍝ == case too many
⍝ == input k int: 6
⍝ == input n int: 5
⍝ == error 18:1 DOMAIN ERROR: ?
⍝ == case a negative number
⍝ == input k int: ¯1
⍝ == input n int: 5
⍝ == error 18:1 DOMAIN ERROR: ?
⍝ == case from a negative number
⍝ == input k int: 0
⍝ == input n int: ¯5
⍝ == error 18:1 DOMAIN ERROR: ?
⍝ == case none
⍝ == input k int: 0
⍝ == input n int: 5
⍝ == output
k?n
