⍝ Dyadic -. The right argument of a function is all that stands right of it: 1-2-3 is 1-(2-3).
⍝ == output 2
⍝ == output ¯2
⍝ == output 9 8 7
⍝ == output ¯9 ¯8 ¯7
⍝ == output 2
⍝ == output ¯1 0 1
⍝ == output
⍝ == output ¯2 0.5
⎕←5-3
⎕←3-5
⎕←10-1 2 3
⎕←1 2 3-10
⎕←1-2-3
⎕←(0 1 1=1)-1 1 0=1
⎕←⍬-⍬
⎕←0.5 1-2.5 0.5
