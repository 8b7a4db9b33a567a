⍝ The state of ⍣ may be an integer before the first step and a double, or a boolean and then an integer, from then on.
⍝ == input n int: 3
⍝ == output 1
⍝ == output 0.5
⍝ == output 8
⍝ == output 2.5
⍝ == output 2.5 3.5
⍝ == output 4
⍝ == output 8 0
⍝ == output 0.75
⍝ == output 0.625
⍝ == output 256
⍝ == output 3
⍝ == output 5.25
⍝ == output 6
⎕←({⍵÷2}⍣3)8
⎕←({⍵÷2}⍣4)8
⎕←({⍵÷2}⍣0)8
⎕←({⍵÷2}⍣n)20
⎕←({⍵+0.5}⍣n)1 2
⎕←({⍵+1}⍣n)1=1
⎕←({⍵+⍵}⍣n)1 2=1
⎕←({⍵>2:⍵÷4 ⋄ ⍵+1}⍣n)1
⎕←{⍵÷2}⍣{⍺<1}40
⎕←({⍵*2}⍣n)2
⎕←({⌊⍵÷3}⍣n)100
f←{⍵>5:⍵ ⋄ ∇ ⍵+0.75}
⎕←f 3
⎕←f 6
