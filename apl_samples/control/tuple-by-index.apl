⍝ Components of a tuple by ⍵[k] and by k⊃⍵.
⍝ == input x double 3: 1 2 3
⍝ == input n int: 4
⍝ == output 4
⍝ == output 4
⍝ == output 16 32 48
⍝ == output 3.5
⍝ == output 3
⍝ == output 1 2 3
grow←{a←⍵[1] ⋄ b←⍵[2] ⋄ (a+1)(b×2)}
k←0
r←(grow⍣n)k x
⎕←r[1]
⎕←1⊃r
⎕←2⊃r
drop←{((1⊃⍵)+⊃2⊃⍵)(1↓2⊃⍵)}
t←0.5
⎕←1⊃(drop⍣2)t x
⎕←2⊃(drop⍣2)t x
⎕←2⊃(drop⍣0)t x
