⍝ ⎕IO inside braces is that function's own.
⍝ == output 1
⍝ == output 0 1 2
⍝ == output 1 2 3
⍝ == output 7
⍝ == output 1
⎕←⎕IO
⎕←{⎕IO←0 ⋄ ⍳⍵}3
⎕←⍳3
f←{⎕IO←0 ⋄ ⍵[0]}
⎕←f 7 8 9
⎕←⎕io
