⍝ Both lengths are only known when the program runs; a single element extends to none, too.
⍝ == case one and two
⍝ == input v int 1: 5
⍝ == input w int 2: 1 2
⍝ == output 6 7
⍝ == output ¯4 ¯3
⍝ == output 13
⍝ == output 15
⍝ == output 2
⍝ == case two and one
⍝ == input v int 2: 1 2
⍝ == input w int 1: 5
⍝ == output 6 7
⍝ == output 4 3
⍝ == output 13
⍝ == output 15
⍝ == output 2
⍝ == case one and one
⍝ == input v int 1: 1
⍝ == input w int 1: 5
⍝ == output 6
⍝ == output 4
⍝ == output 6
⍝ == output 5
⍝ == output 1
⍝ == case one and none
⍝ == input v int 1: 1
⍝ == input w int 0:
⍝ == output
⍝ == output
⍝ == output 0
⍝ == output 0
⍝ == output 0
⍝ == case none and one
⍝ == input v int 0:
⍝ == input w int 1: 5
⍝ == output
⍝ == output
⍝ == output 0
⍝ == output 0
⍝ == output 0
⍝ == case none and none
⍝ == input v int 0:
⍝ == input w int 0:
⍝ == output
⍝ == output
⍝ == output 0
⍝ == output 0
⍝ == output 0
⎕←v+w
⎕←w-v
⎕←+/v+w
⎕←v+.×w
⎕←⍴v×w
