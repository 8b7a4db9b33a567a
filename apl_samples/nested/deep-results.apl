⍝ f¨ whose results are arrays of arrays: f is applied once to each item, prints once, and may nest further.
⍝ == output  1 2  3 
⍝ == output  1  2 
⍝ == output  2 1  1 1 
⍝ == output 3
⍝ == output 9
x←1 0 0 1 0⊂1 0 1 1 1
⎕←≢¨¨{⎕←⍵⊂⍳≢⍵}¨x
⎕←≡{{(⍵>2)/⍵}¨⍵⊂⍳≢⍵}¨x
⎕←+/∊{⌽¨⍵⊂⍳≢⍵}¨x
