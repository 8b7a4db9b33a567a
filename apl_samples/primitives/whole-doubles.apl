⍝ A double that holds a whole number will do where an integer is needed.
⍝ == input d double: 2
⍝ == input e double 2: 2 1
⍝ == input m int 2 2: 1 2 3 4
⍝ == output 1 2
⍝ == output 7 7
⍝ == output 7
⍝ == output 7
⍝ == output 5 6
⍝ == output 7
⍝ == output 7 5 6
⍝ == output 5 5 6 6 7 7
⍝ == output 5 5 6
⍝ == output 6
⍝ == output 6
⍝ == output 3
⍝ == output 2
⍝ == output 1 2
⍝ == output 4 3
⍝ == output   1.50
⎕←⍳d
⎕←d⍴7
⎕←d 1⍴7
⎕←d↑5 6 7
⎕←d↓5 6 7
⎕←d⌽5 6 7
⎕←d/5 6 7
⎕←e/5 6
⎕←d⊃5 6 7
⎕←d⌷5 6 7
⎕←d 1⌷m
⎕←⍴d?5
⎕←e⌽m
⎕←6 d⍕1.5
