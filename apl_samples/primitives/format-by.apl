⍝ Dyadic ⍕: a width and a number of decimals, for all columns or for each. Without a width there is one that leaves
⍝ a blank before each number. A negative number of decimals is one of digits, before an exponent.
⍝ == input n int: 7
⍝ == input v double 3: 3.14159 ¯2.71828 10
⍝ == output     3.14
⍝ == output      4
⍝ == output   1.0  2.0  3.0
⍝ == output   ¯2.500
⍝ == output   1.50   2
⍝ == output  33.25  40
⍝ == output 2 21
⍝ == output 0
⍝ == output  3.14
⍝ == output  10.000 15.235 ¯17.100
⍝ == output   2.000  3.000   4.000
⍝ == output  1.0 2.0 3.0
⍝ == output  4.0 5.0 6.0
⍝ == output 1.50E1
⍝ == output    7
⍝ == output    3.14  ¯2.72  10.00
⍝ == output 21
⎕←8 2⍕3.14159
⎕←6 0⍕3.7
⎕←5 1⍕1 2 3
⎕←8 3⍕¯2.5
⎕←6 2 4 0⍕2 2⍴1.5 2 33.25 40
⎕←⍴7 3⍕2 3⍴0
⎕←⍴6 2⍕⍬
⎕←2⍕3.14159
⎕←3⍕2 3⍴10 15.2346 ¯17.1 2 3 4
⎕←4 1⍕2 3⍴⍳6
⎕←(9 ¯3⍕15)~' '
⎕←4 0⍕n
⎕←7 2⍕v
⎕←⍴7 2⍕v
