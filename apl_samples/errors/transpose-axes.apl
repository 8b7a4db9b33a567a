⍝ == error 3:1 LENGTH ERROR: ⍉ needs one axis for each of the 1 axes on its right, got 2
⍝ == error 4:1 DOMAIN ERROR: ⍉ needs axes counted from 1 without a gap
1 2⍉1 2 3
1 3⍉2 2⍴1
