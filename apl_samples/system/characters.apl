⍝ Characters and their code points, both ways: letters shifted, capitals, digits as numbers, and what is no character.
⍝ == input n int: 3
⍝ == input t char 6: 'Hello!'
⍝ == output 72 101 108 108 111 33
⍝ == output Khoor!
⍝ == output HELLO!
⍝ == output 1234
⍝ == output €
⍝ == output 97 233 8364
⍝ == output 0
⍝ == output AB
⍝ == output CD
⍝ == output 533
⍝ == error 27:1 DOMAIN ERROR: ⎕UCS needs code points of characters, 0 to 1114111, got 1114114
k←⎕UCS t
k
is_letter←{((⍵≥65)∧⍵≤90)∨(⍵≥97)∧⍵≤122}
⎕UCS k+n×is_letter k
⎕UCS k-32×(k≥97)∧k≤122
10⊥(⎕UCS '1234')-⎕UCS '0'
⎕UCS 8364
⎕UCS 'aé€'
≢⎕UCS ''
⎕UCS 2 2⍴64+⍳4
+/⎕UCS t
x←1114111+n
⎕UCS x,65
