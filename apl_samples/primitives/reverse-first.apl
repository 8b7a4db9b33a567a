⍝ Monadic ⊖ turns the first axis round.
⍝ == output 4 5 6
⍝ == output 1 2 3
⍝ == output 3 2 1
⍝ == output 5
⍝ == output
⍝ == output 5 6
⍝ == output 7 8
⍝ == output
⍝ == output 1 2
⍝ == output 3 4
⎕←⊖2 3⍴⍳6
⎕←⊖1 2 3
⎕←⊖5
⎕←⊖⍬
⎕←⊖2 2 2⍴⍳8
