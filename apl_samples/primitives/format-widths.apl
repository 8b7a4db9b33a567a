⍝ The width of ⍕ and the number of decimals may be data.
⍝ == input x double: 3.14159
⍝ == input p int: 1
⍝ == input w int: 6
⍝ == output   3.14
⍝ == output    3.1
⎕←w 2⍕x
⎕←w p⍕x
