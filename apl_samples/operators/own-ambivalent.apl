⍝ An operator whose function has a default left argument, and one whose function passes it on, if there is one.
⍝ == output 6
⍝ == output 1
⍝ == output ¯3 ¯2 ¯1
⍝ == output 7 8 9
op←{⍺←10 ⋄ ⍺ ⍺⍺ ⍵}
⎕←-op 4
⎕←5-op 4
rev←{⍺←⊢ ⋄ ⍺ ⍺⍺⌽⍵}
⎕←-rev 1 2 3
⎕←10-rev 1 2 3
