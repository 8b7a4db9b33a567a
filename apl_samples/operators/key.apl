⍝ f⌸ applies f to each of the different keys, in the order in which they appear, and to what belongs to it.
⍝ == input v int 6: 3 1 3 2 1 3
⍝ == output 3 3
⍝ == output 1 2
⍝ == output 2 1
⍝ == output 3 2 1
⍝ == output 3 100
⍝ == output 1  70
⍝ == output 2  40
⍝ == output 1 11 7 10
⍝ == output misp
⍝ == output 2 1
⍝ == output 1 2 6 8
⍝ == output 3 4 3 4
⍝ == output 1 1 1
⍝ == output 3 1
⍝ == output 1 2
⍝ == output 2 4
⍝ == output 0 1 3
⍝ == output 0.3 2
⍝ == output 0.5 1
⍝ == output 0 2
⍝ == error 36:1 LENGTH ERROR: needs equal lengths
{⍺,≢⍵}⌸v
{≢⍵}⌸v
v{⍺,+/⍵}⌸10×⍳6
'mississippi'{⌈/⍵}⌸⍳11
{⍺}⌸'mississippi'
{≢⍵}⌸3 2⍴1 2 3 4 1 2
(3 2⍴1 2 3 4 1 2){⍺,+⌿⍵}⌸3 2⍴⍳6
≢⌸v
{⍺,⊃⍵}⌸v
{⎕IO←0 ⋄ {⊃⍵}⌸⍵}3 4 3 5
{⍺,≢⍵}⌸0.3 0.5,0.1+0.2
⍴{⍺,≢⍵}⌸0⍴v
v{+/⍵}⌸⍳4
