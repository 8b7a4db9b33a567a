⍝ The rows of Pascal's triangle, each from the one before it, and what is known about them.
⍝ == output 1 1
⍝ == output 1 4 6 4 1
⍝ == output 16
⍝ == output 0
⍝ == output 1 3 3 1
⍝ == output 1
next ← {(0,⍵)+⍵,0}
⎕←next 1
⎕←next next next next 1
⎕←+/next next next next 1
⎕←-/next next next next 1
p ← next next next 1
⎕←p
⎕←p≡⌽p
