⍝ Every k-th of n in a circle leaves: the last one by rotating and dropping, and by the recursion 1+n|(k-1)+last.
⍝ == input n int: 41
⍝ == output 31
⍝ == output 5
⍝ == output 31
⍝ == output 1 1 3 1 3 5 7 1 3 5 7 9 11 13 15 1
last←{k←⍺ ⋄ ⊃{1↓(k-1)⌽⍵}⍣{1=≢⍺}⍳⍵}
⎕←3 last n
⎕←2 last 10
formula←{⍵=1:1 ⋄ 1+⍵|(⍺-1)+⍺ ∇ ⍵-1}
⎕←3 formula n
⎕←{2 formula ⍵}¨⍳16
