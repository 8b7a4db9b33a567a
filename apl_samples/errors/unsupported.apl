⍝ What we know and do not compile is called so, by name and place.
⍝ == error 5:4 UNSUPPORTED: branching with →
⍝ == error 6:3 UNSUPPORTED: dyadic ⍎
⍝ == error 7:3 UNSUPPORTED: of characters and numbers in one array
x←{→5}1
y←1⍎'1'
z←1,⍕2
