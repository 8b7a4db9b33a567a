⍝ == input v double 0:
⍝ == error 3:1 DOMAIN ERROR: has no identity item
{⍺+2×⍵}/v
