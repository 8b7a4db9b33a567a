⍝ ⎕←x prints x and passes it on; several statements on a line; what is assigned is not printed.
⍝ == input v double 3: 1 2 3
⍝ == output 1
⍝ == output 2
⍝ == output 3
⍝ == output 4
⍝ == output 2
⍝ == output 8
⍝ == output 9
⍝ == output 0
⍝ == output 1 2 3
⍝ == output 6
⍝ == output 3
⍝ == output ¯3
⍝ == output 9
⍝ == output 3
⍝ == output 2
⍝ == output 1
⍝ == output 7
⍝ == output bc
⍝ == output abc
⍝ == output in
⍝ == output in
⍝ == output 1 2 3 4
⍝ == output 1 2
⍝ == output 3 4
⍝ == output more
⍝ == output less
⍝ == output less
⍝ == output 10
⍝ == output 10 2 3
⎕←1 ⋄ ⎕←2 ⋄ 3
x←⎕←4
y←1+⎕←x×⎕←2
⎕←y ⋄ y←0 ⋄ ⎕←y
+/⎕←v
{⎕←⍵ ⋄ ⎕←-⍵ ⋄ ⍵×⍵}3
(⎕←1)+(⎕←2)×⎕←3
⎕←'a',⎕←'bc'
z←{⎕←'in' ⋄ ⍵}¨1 2
⎕←2 2⍴⎕←⍳4
f←{⍵>1:⎕←'more' ⋄ ⎕←'less'}
r←f 2
r←f 1
⎕←r
⎕←v[1]←10
v
