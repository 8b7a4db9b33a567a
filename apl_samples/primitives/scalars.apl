⍝ What is done to a vector can be done to a scalar. Where a result has an axis, that has length 1.
⍝ == output 5
⍝ == output
⍝ == output
⍝ == output
⍝ == output 1
⍝ == output 1
⍝ == output 0
⍝ == output 1
⍝ == output 1
⍝ == output 1
⍝ == output 1
⍝ == output 1 1
⍝ == output 2
⍝ == output 2
⍝ == output 1
⍝ == output 2
⍝ == output
⍝ == output
⍝ == output
⍝ == output
⍝ == output
⍝ == output
⍝ == output
⍝ == output
⎕←⌽5
⎕←⍴⌽5
⎕←⍴3⊖5
⎕←⍴⍉5
⎕←⍴,5
⎕←⍴0↓5
⎕←⍴1↓5
⎕←⍴1↑5
⎕←⍴1/5
⎕←⍴1\5
⎕←⍴∪5
⎕←⍴⍪5
⎕←⍴5,6
⎕←⍴5⍪6
⎕←⍴5~6
⎕←⍴5∪6
⎕←⍴5∊5
⎕←⍴5⍷5
⎕←⍴2⊥5
⎕←⍴2⊤5
⎕←⍴⍬⍴5
⎕←⍴⌷5
⎕←⍴+/5
⎕←⍴+\5
