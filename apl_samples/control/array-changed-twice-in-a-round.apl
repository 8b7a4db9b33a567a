⍝ A round that computes an array, and from it and the old one another: the rounds of one element are taken together.
⍝ == input v int 3: 3 1 2
⍝ == output 3 1 2
⍝ == output 81 27 54
⎕←{u←⍵ ⋄ u[]←⍵ ⋄ u}⍣2⊢v
⎕←{u←⍵×2 ⋄ u[]←u+⍵ ⋄ u}⍣3⊢v
