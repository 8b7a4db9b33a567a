⍝ Empty arrays keep their shape, and what is made of nothing is fills, identity items and zeros.
⍝ == input e double 0:
⍝ == input m int 0 3:
⍝ == input c char 0: ''
⍝ == output 0 3
⍝ == output 3 0
⍝ == output 2 0
⍝ == output 0 3
⍝ == output 0 0 0
⍝ == output 1 3
⍝ == output 0
⍝ == output 0
⍝ == output 0 0
⍝ == output 0 0
⍝ == output 0 0
⍝ == output 0 0
⍝ == output 0
⍝ == output 0
⍝ == output 0
⍝ == output 0
⍝ == output 0
⍝ == output 2 0
⍝ == output 2 0 1
⍝ == output 0 3
⍝ == output 0 0 0
⍝ == output 0
⍝ == output 1 3
⍝ == output 0 0
⍝ == output 2
⎕←⍴⌽0 3⍴0
⎕←⍴⍉0 3⍴0
⎕←⍴1 2⌽2 0⍴0
⎕←⍴1↓0 3⍴0
⎕←1↑0 3⍴0
⎕←⍴(0 3⍴0)⍪1 2 3
⎕←⍴,0 3⍴0
⎕←≢0 3⍴0
⎕←⍴(0 3⍴0)+.×3 0⍴0
⎕←(3 0⍴0)+.×0 2⍴0
⎕←⍴⍋⍬
⎕←⍴''⍳''
⎕←⍴⍬⍷⍬
⎕←10⊥⍬
⎕←⍴⍬⊤5
⎕←⍴2 2⊤⍬
⎕←(⍴2↑e),⍴⍪e
⎕←⍴⌽m
⎕←+⌿m
⎕←⍴+/m
⎕←⍴m⍪7
⎕←(⍴∪c),⍴c⍳c
⎕←⍴⌽c,'ab'
