⍝ A function that does without its argument gives as many values as there are cells, none for none.
⍝ == input e int 0 2:
⍝ == output 0 0 0
⍝ == output 3
⍝ == output 7 7
⍝ == output 0
⍝ == output 0
⍝ == output 5 5
⍝ == output 0 0
⍝ == output 1 2
⍝ == output 3 3
⎕←({0}⍤0)⍳3
⎕←⍴({0⊣⍵}⍤0)⍳3
⎕←({7}⍤1)2 3⍴⍳6
⎕←⍴({7}⍤1)e
⎕←⍴({0}⍤0)⍬
f←{2+3}
⎕←(f⍤1)2 3⍴⍳6
⎕←({0⊣⍵}⍤0)≥⌿2 2⍴1
⎕←({3}⍤0)⎕←1 2
