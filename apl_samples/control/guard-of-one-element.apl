⍝ The condition may be a vector of one element, or an integer or a double that is 0 or 1.
⍝ == input v double 3: 0 1 0
⍝ == output more
⍝ == output zero
⍝ == output one
⍝ == output one
⎕←{,⍵>1:'more' ⋄ 'less'}2
⎕←{1↑⍵:'one' ⋄ 'zero'}v
⎕←{⍵[2]:'one' ⋄ 'zero'}v
⎕←{2-⍵:'one' ⋄ 'zero'}1
