⍝ An array of which nothing is left is reshaped to zeros, whatever the length of a row.
⍝ == input e bool 0 3 7:
⍝ == input one int 1: 5
⍝ == json {"type":"int","shape":[1,2],"data":[0,0]}
⍝ == json {"type":"int","shape":[2,3],"data":[0,0,0,0,0,0]}
⍝ == json {"type":"int","shape":[2,3],"data":[0,0,0,0,0,0]}
⍝ == json {"type":"int","shape":[2,2],"data":[5,5,5,5]}
⍝ == json {"type":"int","shape":[2,2],"data":[0,0,0,0]}
⍝ == json {"type":"int","shape":[2,0],"data":[]}
⎕←⊖1 2⍴1↓1+1|,e
⎕←⊖2 3⍴1↓one
⎕←2 3⍴1↓one
⎕←⊖2 2⍴0↓one
⎕←⌽2 2⍴(one<5)/one
⎕←⊖2 0⍴1↓one
