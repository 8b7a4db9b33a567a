⍝ An array of arrays has items of one rank and kind: what would need a tag at run time is refused.
⍝ == error 5:3 UNSUPPORTED: ⍸
⍝ == error 6:3 UNSUPPORTED: ↑
⍝ == error 7:3 UNSUPPORTED: ⎕← of unlike items, whose number only the run knows
a←⍸1
a←↑(1 2)(1 2⍴'ab')
⎕←(↓2 2⍴1),5
