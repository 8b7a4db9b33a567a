⍝ Dyadic ≢ is the contrary of ≡.
⍝ == output 0 1
⍝ == output 1
⍝ == output 1
⍝ == output 0
⎕←(1 2 3≢1 2 3),1 2≢1 2 3
⎕←5≢,5
⎕←'a'≢1
⎕←(2 2⍴⍳4)≢2 2⍴⍳4
