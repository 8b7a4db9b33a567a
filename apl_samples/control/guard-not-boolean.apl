⍝ A condition is 0 or 1.
⍝ == input n int: 2
⍝ == error 4:4 DOMAIN ERROR: needs zeros and ones
⎕←{⍵:'yes' ⋄ 'no'}n
