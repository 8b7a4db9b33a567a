⍝ The gamma function has poles at the negative whole numbers, and is defined between them.
⍝ == case between
⍝ == input x double: ¯0.5
⍝ == output 1.772453851
⍝ == case a pole
⍝ == input x double: ¯1
⍝ == error 11:1 DOMAIN ERROR: !
⍝ == case the next one
⍝ == input x double: ¯2
⍝ == error 11:1 DOMAIN ERROR: !
!x
