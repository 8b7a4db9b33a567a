⍝ A reduction inside the function of another one, of its right argument only, stays there: taken out of it as a
⍝ statement of its own it read a variable that is not there.
⍝ == input b bool 3: 1 1 0
⍝ == input w int 4: 2 2 1 3
⍝ == output 1
⍝ == output 2
⍝ == output 0 1 2
⎕←1{∧/⍵↑b}.≥0 0
⎕←{+/⍵↑b}/w
⎕←{+/⍵↑b}¨0 1 2
