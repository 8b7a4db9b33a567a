⍝ == input m double 0 2:
⍝ == error 3:3 DOMAIN ERROR: has no identity item
⎕←(+-×)⌿m
