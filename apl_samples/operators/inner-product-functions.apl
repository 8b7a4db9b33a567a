⍝ f.g for other pairs than +.×: paths (⌊.+, ∨.∧), comparisons of rows, prime powers (×.*), parity (≠.∧).
⍝ == input m double 3 3: 0 3 9 9 0 4 9 9 0
⍝ == input b bool 3 3: 0 1 0 0 0 1 0 0 0
⍝ == output 0 3 7
⍝ == output 9 0 4
⍝ == output 9 9 0
⍝ == output 0 0 1
⍝ == output 0 0 0
⍝ == output 0 0 0
⍝ == output 0 0 1
⍝ == output 0 0 0
⍝ == output 0 0 0
⍝ == output 9 9 3
⍝ == output 4 4 9
⍝ == output 9 3 9
⍝ == output 1 0
⍝ == output 0 1
⍝ == output 1 0
⍝ == output 2 0
⍝ == output 12
⍝ == output 12
⍝ == output 3
⍝ == output 2
⍝ == output 14
⍝ == output 14
⍝ == output 1
⍝ == output 14
⎕←m⌊.+m
⎕←b∨.∧b
⎕←b≠.∧b
⎕←m⌈.⌊m
⎕←(2 3⍴'catdog')∧.='cat'
⎕←(2 3⍴'catdog')∧.=⍉2 3⍴'dogcat'
⎕←'cat'+.=⍉2 3⍴'cotdog'
⎕←2 3 5×.*2 1 0
⎕←1 2 3-.×4 5 6
⎕←1 2 3+.|5 5 5
⎕←1 2 3⌈.-0 5 1
⎕←1 2 3+.*2
⎕←2+.*1 2 3
⎕←1 5∨.<2 2
⎕←(⍳3)(+/⍤×)⍳3
