⍝ The results of the branches need not have one type or length: an integer and a double, a short vector and a long one.
⍝ == input n int: 4
⍝ == output 2 7
⍝ == output 1 0.5
⍝ == output 1 2 3
⍝ == output 4 5
⍝ == output 1 2 3 4
⍝ == output
⍝ == output 1
⍝ == output 7
⍝ == output 0.5 0.5 0.5
⍝ == output 0.5 0.5 0.5
⍝ == output yes
half←{0=2|⍵:⍵÷2 ⋄ ⍵}
⎕←half¨4 7
⎕←{⍵>0:1 ⋄ 0.5}¨1 ¯1
⎕←{⍵:1 2 3 ⋄ 4 5}1
⎕←{⍵:1 2 3 ⋄ 4 5}0
⎕←{n>3:⍳n ⋄ ⍬}0
⎕←{n>5:⍳n ⋄ ⍬}0
⎕←{n>3:1=1 ⋄ 7}0
⎕←{n>5:1=1 ⋄ 7}0
⎕←{n>5:2 2⍴1 ⋄ 2 3⍴0.5}0
⎕←{n>3:'yes' ⋄ 'no'}0
