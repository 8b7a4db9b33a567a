⍝ An empty vector stays empty, whichever way it is rotated.
⍝ == input k int: 0
⍝ == output 0
⍝ == output 0
⎕←+/¯4⌽⍳k
⎕←+/4⌽⍳k
