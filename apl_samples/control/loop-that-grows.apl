⍝ A vector of known length before the first step, whose length only the run knows afterwards.
⍝ == input n int: 3
⍝ == output 0 1 1 1
⍝ == output 5 5 2 3 4
⍝ == output 4 5
⍝ == output 1 2 1 2 1 2 1 2 1 2 1 2 1 2 1 2
⍝ == output 16 3
⍝ == output 1 1 2 3 5
⍝ == output 4 5
⍝ == output 1 4 6 4 1
⍝ == output wait...
⍝ == output 0
⍝ == output 1 3 5 7
⍝ == output 0
⎕←({⍵,1}⍣3),0
⎕←({⍵,≢⍵}⍣n)5 5
⎕←({1↓⍵}⍣n)⍳5
⎕←({⍵,⍵}⍣n)1 2
⎕←⍴({⍵⍪⍵}⍣n)2 3⍴0
⎕←({⍵,+/¯2↑⍵}⍣n)1 1
⎕←({¯1↓1↓⍵}⍣n)⍳8
⎕←({(0,⍵)+⍵,0}⍣n)1 1
⎕←({⍵,'.'}⍣n)'wait'
⎕←⍴({⍵,⍵}⍣n)⍬
⎕←({(2|⍵)/⍵}⍣n)⍳7
⎕←+/({2-⍨/⍵}⍣n)2*⍨⍳6
