⍝ An array of one element extends also where only the run knows that it has one; no element at all are as many as
⍝ the other side has, if that is one.
⍝ == input w int 3: 10 20 30
⍝ == case one against three
⍝ == input v int 1: 5
⍝ == output 15 25 35
⍝ == output 5 15 25
⍝ == output 2 4 6
⍝ == output 300
⍝ == output 300
⍝ == output 0 0 0
⍝ == output 5
⍝ == case three against three
⍝ == input v int 3: 1 2 3
⍝ == output 11 22 33
⍝ == output 9 18 27
⍝ == output 10 10 10
⍝ == output 140
⍝ == output 140
⍝ == output 0 0 0
⍝ == output 6
⎕←v+w
⎕←w-v
⎕←w÷v
⎕←v+.×w
⎕←+/v×w
⎕←v=w
⎕←+/v⌈¯1+⌊/w÷10
