⍝ A single number on the left of \ or ⍀ goes with all elements, as it does with / and ⌿.
⍝ == input v double 3: 1 2 3
⍝ == output 1 2 3
⍝ == output 1 1 2 2
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 1 2 3
⎕←1\1 2 3
⎕←2\1 2
⎕←1⍀2 2⍴⍳4
⎕←1\v
