⍝ Scans of booleans: ∧\ keeps the leading ones, ∨\ everything from the first one on, <\ only the first one, ≠\ is the
⍝ parity. The values of = ≤ > ⍲ are those of f/ of each beginning: 1≤1≤0 is 1≤0, 0; 1>1>1 is 1>0, 1.
⍝ == input b bool 6: 0 0 1 0 1 1
⍝ == output 1 1 0 0
⍝ == output 0 0 1 1
⍝ == output 0 0 1 0 0 0
⍝ == output 1 1 0 1 1
⍝ == output 1 1 0 1
⍝ == output 1 1 0 0 1 0
⍝ == output 1 0 0 0 0 0
⍝ == output 1 1 1 1 1 1
⍝ == output 1 0 0 1 1 1
⍝ == output 1 0 0 0 0 0
⍝ == output 0 0 0 0 0 0
⍝ == output 0 0 1 1 1 1
⍝ == output 0 0 1 0 0 0
⍝ == output 0 0 1 1 0 1
⍝ == output 0 1 1 1 1 1
⍝ == output 0 1 1 0 0 0
⍝ == output 0 0 0 0 0 0
⎕←∧\1 1 0 1
⎕←∨\0 0 1 0
⎕←<\0 0 1 0 1 1
⎕←≠\1 0 1 1 0
⎕←≤\1 1 0 1
⎕←=\1 1 0 1 0 0
⎕←>\1 1 0 1 0 0
⎕←≥\1 1 0 1 0 0
⎕←⍲\1 1 0 1 0 0
⎕←⍱\1 1 0 1 0 0
⎕←∧\b
⎕←∨\b
⎕←<\b
⎕←≠\b
⎕←≤\b
⎕←=\b
⎕←>\b
