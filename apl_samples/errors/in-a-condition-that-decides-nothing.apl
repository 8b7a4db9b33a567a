⍝ A condition is computed, and fails, also where both of its branches are the same.
⍝ == case no error
⍝ == input v double 3: 1 2 4
⍝ == output 1 2 4
⍝ == case a division
⍝ == input v double 3: 1 0 4
⍝ == error 8:6 DOMAIN ERROR: ÷ divides by zero
⎕←{1=÷⍵: ⍵ ⋄ ⍵}¨v
