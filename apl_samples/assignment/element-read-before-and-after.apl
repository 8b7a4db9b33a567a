⍝ An element that is read twice where it changes has a name in the C of that statement; behind it the name is that of
⍝ the old value. With --check-overflow that made the new elements the old ones.
⍝ == input v int 3: 5 6 7
⍝ == output 9
⍝ == output 25 25 12
⍝ == output 64
(a b c)←{u←⍵ ⋄ u[1]+←8 ⋄ u}1⍴1
⎕←a
w←v ⋄ w[1]×←w[1] ⋄ w[2]←w[1] ⋄ w[3]+←5
⎕←w
x←2⍴8 ⋄ y←x[1]×x[1] ⋄ x[1]←y ⋄ ⎕←x[1]
