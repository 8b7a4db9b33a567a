⍝ Scans and reductions of booleans: parity, first and last, counting, all, any, none, nesting.
⍝ == input b bool 7: 0 1 1 0 1 0 0
⍝ == output 0 1 0 0 1 1 1
⍝ == output 1 0 0 0 0 0 0
⍝ == output 1
⍝ == output 0 1 1 1 1 1 1
⍝ == output 1 1 1 1 1 0 0
⍝ == output 0 1 0 0 0 0 0
⍝ == output 2
⍝ == output 3
⍝ == output 1
⍝ == output 0
⍝ == output 0
⍝ == output 1 0 1 1 0 1 1
⍝ == output 0 1 0 0 1 0 0
⍝ == output 2
⍝ == output 52
⍝ == output 0 3 4 0 5 0 0
⍝ == output 2 3 5
⍝ == output 0 1 1 0 1 0 0
⍝ == output 1 4 6 7 2 3 5
⎕←≠\b
⎕←∧\~b
⎕←+/∧\~b
⎕←∨\b
⎕←⌽∨\⌽b
⎕←<\b
⎕←b⍳1
⎕←+/b
⎕←∨/b
⎕←∧/b
⎕←~∨/b
⎕←b≤¯1⌽b
⎕←b>0,¯1↓b
⎕←+/b>0,¯1↓b
⎕←2⊥b
⎕←b\3 4 5
⎕←b/⍳≢b
⎕←(⍳7)∊⍸b
⎕←⍋b
