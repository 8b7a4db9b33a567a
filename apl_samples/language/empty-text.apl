⍝ A text of no characters stands for no numbers where numbers are needed, as in Dyalog APL.
⍝ == output 5
⍝ == output 5
⍝ == output 7 8
⍝ == output 0
⍝ == output 0
⍝ == output 0 5
⍝ == output 2 0
⍝ == output 0
⍝ == output 0
⍝ == output 5
⍝ == output 0
⎕←''⍴5 ⋄ ⎕←(3↓'abc')⍴5
⎕←''⌷7 8 ⋄ ⎕←''⊥5 ⋄ ⎕←5⊥''
⎕←⍴''⊤⍳5 ⋄ ⎕←⍴10 10⊤''
⎕←⍴5 6[''] ⋄ ⎕←≢''/4 ⋄ ⎕←''⍉5
⎕←≢⍸''
