⍝ What matches itself is 1, also in a function that is used elsewhere in the program.
⍝ == input e bool 2 0:
⍝ == json {"type":"int","shape":[2],"data":[2,0]}
⍝ == json {"type":"bool","shape":[2],"data":[true,true]}
⍝ == json {"type":"int","shape":[2],"data":[1,1]}
⍝ == json {"type":"bool","shape":[3],"data":[true,true,true]}
v←e∘.{⍺≡⍺}1
⎕←⍴v
x←1 0∘.{⍺≡⍺}1
⎕←x
⎕←1{⍺⊣⍺}¨'yz'
⎕←(3 1⍴⍳3){⍺≡⍺}⍤1⊢1
