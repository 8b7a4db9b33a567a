⍝ Where no guard holds and nothing follows, the definition has no result.
⍝ == case it holds
⍝ == input n int: 2
⍝ == output 4
⍝ == case it does not
⍝ == input n int: ¯2
⍝ == error 8:4 VALUE ERROR: the result of the function has no value
⎕←{⍵>0:⍵×2}n
