⍝ Dyadic ⍕: a width and a number of decimals, for all columns or for each. What does not fit is stars. Without a width
⍝ there is one that leaves a blank before each number.
⍝ == input n int: 7
⍝ == input v double 3: 3.14159 ¯2.71828 10
⍝ == output     3.14
⍝ == output      4
⍝ == output   1.0  2.0  3.0
⍝ == output   ¯2.500
⍝ == output   1.50   2
⍝ == output  33.25  40
⍝ == output ***
⍝ == output 2 21
⍝ == output 0
⍝ == output 3.14
⍝ == output    7
⍝ == output    3.14  ¯2.72  10.00
⍝ == output 21
⎕←8 2⍕3.14159
⎕←6 0⍕3.7
⎕←5 1⍕1 2 3
⎕←8 3⍕¯2.5
⎕←6 2 4 0⍕2 2⍴1.5 2 33.25 40
⎕←3 0⍕12345
⎕←⍴7 3⍕2 3⍴0
⎕←⍴6 2⍕⍬
⎕←(2⍕3.14159)~' '
⎕←4 0⍕n
⎕←7 2⍕v
⎕←⍴7 2⍕v
