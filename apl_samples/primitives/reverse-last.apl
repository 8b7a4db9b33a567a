⍝ Monadic ⌽ turns the last axis round.
⍝ == output 3 2 1
⍝ == output 5
⍝ == output
⍝ == output cba
⍝ == output 3 2 1
⍝ == output 6 5 4
⍝ == output 2 1
⍝ == output 4 3
⍝ == output
⍝ == output 6 5
⍝ == output 8 7
⎕←⌽1 2 3
⎕←⌽5
⎕←⌽⍬
⎕←⌽'abc'
⎕←⌽2 3⍴⍳6
⎕←⌽2 2 2⍴⍳8
