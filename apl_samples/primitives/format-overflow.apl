⍝ What is wider than its column is stars; it may fill the column.
⍝ == input w int: 3
⍝ == input x double: 3.14159
⍝ == output ***
⍝ == output  10 15.00
⍝ == output *** 22.36
⍝ == output 101******
⍝ == output ***
⎕←3 0⍕12345
⎕←3 0 6 2⍕3 2⍴10.1 15 1001 22.357 101 1110.1
⎕←w 2⍕x
