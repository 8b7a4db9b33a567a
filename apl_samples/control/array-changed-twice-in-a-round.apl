⍝ A round that computes an array, and from it and the old one another: the rounds of one element are taken together.
⍝ An element that a round changes once more under a condition lies where it was.
⍝ == input v int 3: 3 1 2
⍝ == output 3 1 2
⍝ == output 81 27 54
⍝ == output ¯1 2 6
⎕←{u←⍵ ⋄ u[]←⍵ ⋄ u}⍣2⊢v
⎕←{u←⍵×2 ⋄ u[]←u+⍵ ⋄ u}⍣3⊢v
∇r←signed x;k
r←x
:For k :In ⍳≢x
  r[k]←k×x[k]
  :If x[k]>2 ⋄ r[k]←¯1 ⋄ :EndIf
:EndFor
∇
signed v
