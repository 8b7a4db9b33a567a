⍝ The width of ⍕ may be data; what does not fit is stars.
⍝ == input x double: 3.14159
⍝ == case a width
⍝ == input w int: 6
⍝ == output   3.14
⍝ == case too narrow
⍝ == input w int: 3
⍝ == output ***
w 2⍕x
