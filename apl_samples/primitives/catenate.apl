⍝ Dyadic , joins along the last axis. A scalar is repeated to one slice; an array of one rank less is one.
⍝ == input v int 2: 5 6
⍝ == input e int 0:
⍝ == output 1 2
⍝ == output 1 2 3
⍝ == output 1 2 3
⍝ == output 1
⍝ == output 1
⍝ == output
⍝ == output abcd
⍝ == output abc
⍝ == output 1 0.5
⍝ == output 1 5
⍝ == output x
⍝ == output 1 2 5
⍝ == output 3 4 5
⍝ == output 5 1 2
⍝ == output 5 3 4
⍝ == output 1 2 5
⍝ == output 3 4 6
⍝ == output 1 2 7
⍝ == output 3 4 8
⍝ == output 9 1 2
⍝ == output 8 3 4
⍝ == output 2 3 5
⍝ == output 0 5
⍝ == output 2 1
⍝ == output 5 6 5 6
⍝ == output 0 5 6
⍝ == output 5 6
⍝ == output 1 2 5
⍝ == output 3 4 6
⍝ == output 0
⎕←1,2
⎕←1 2,3
⎕←1,2 3
⎕←⍬,1
⎕←1,⍬
⎕←⍬,⍬
⎕←'ab','cd'
⎕←'a','bc'
⎕←1,0.5
⎕←(1=1),5
⎕←'','x'
⎕←(2 2⍴⍳4),5
⎕←5,2 2⍴⍳4
⎕←(2 2⍴⍳4),5 6
⎕←(2 2⍴⍳4),2 1⍴7 8
⎕←9 8,2 2⍴⍳4
⎕←⍴(2 3 4⍴0),2 3⍴1
⎕←⍴(0 2⍴0),0 3⍴0
⎕←⍴(2 0⍴0),1 2
⎕←v,v
⎕←0,v
⎕←e,v,e
⎕←(2 2⍴⍳4),v
⎕←⍴e,e
