⍝ Dyadic ⍪ joins along the first axis. A scalar is repeated to one slice; an array of one rank less is one.
⍝ == input v int 2: 5 6
⍝ == input m int 2 2: 1 2 3 4
⍝ == input e int 0 2:
⍝ == output 1 2
⍝ == output 1 2 3
⍝ == output abcd
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 5 6
⍝ == output 5 6
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 5 5
⍝ == output 0.5 0.5
⍝ == output 1   2
⍝ == output 3   4
⍝ == output 1 2
⍝ == output 1 2
⍝ == output 3 4
⍝ == output ab
⍝ == output cd
⍝ == output ee
⍝ == output 3 3 4
⍝ == output 1 2
⍝ == output 0 2
⍝ == output
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 5 6
⍝ == output 5 6
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 0 0
⍝ == output 5 6
⎕←1⍪2
⎕←1 2⍪3
⎕←'ab'⍪'cd'
⎕←(2 2⍴⍳4)⍪5 6
⎕←5 6⍪2 2⍴⍳4
⎕←(2 2⍴⍳4)⍪5
⎕←0.5⍪2 2⍴⍳4
⎕←(1 2⍴1 2)⍪2 2⍴⍳4
⎕←(2 2⍴'abcd')⍪'e'
⎕←⍴(2 3 4⍴0)⍪3 4⍴1
⎕←(0 2⍴0)⍪1 2
⎕←⍴(0 2⍴0)⍪0 2⍴0
⎕←⍬⍪⍬
⎕←m⍪v
⎕←v⍪m⍪0
⎕←e⍪v
