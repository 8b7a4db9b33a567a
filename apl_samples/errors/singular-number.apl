⍝ == input x double: 0
⍝ == error 3:1 DOMAIN ERROR: ⌹
5⌹x
