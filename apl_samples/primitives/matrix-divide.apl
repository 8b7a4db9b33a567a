⍝ Dyadic ⌹ solves: b⌹a is the x of a+.×x being b, by least squares if there are more rows than columns. The line
⍝ that is closest to the points 0 1, 1 2 and 2 2 has the slope (6-15÷3)÷5-9÷3, that is 0.5, and begins at 7÷6.
⍝ == input a double 2 2: 3 2 1 2
⍝ == input b double 2: 18 2
⍝ == input x double 3: 0 1 2
⍝ == input y double 3: 1 2 2
⍝ == output 8 ¯3
⍝ == output 2
⍝ == output 1.166666667 0.5
⍝ == output 2
⍝ == output
⍝ == output  8 2
⍝ == output ¯3 1
⍝ == output 8 ¯3
⍝ == output 1.166666667 0.5
⍝ == output 1.166666667 0.5
⎕←18 2⌹2 2⍴3 2 1 2
⎕←6⌹3
⎕←1 2 2⌹3 2⍴1 0 1 1 1 2
⎕←2 4 6⌹1 2 3
⎕←⍴2 4 6⌹1 2 3
⎕←⌊0.5+(2 2⍴18 8 2 4)⌹2 2⍴3 2 1 2
⎕←b⌹a
⎕←y⌹1,[1.5]x
⎕←y⌹1,⍪x
