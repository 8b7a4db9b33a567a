⍝ Laying out text: trimming, centring, padding, a frame, columns, replacing, upper case, a number with leading zeros.
⍝ == input t char 9: '  a word '
⍝ == output [a word]
⍝ == output 6
⍝ == output [   title   ]
⍝ == output [   right]
⍝ == output [left    ]
⍝ == output -----
⍝ == output |abc|
⍝ == output |def|
⍝ == output -----
⍝ == output ------
⍝ == output |head|
⍝ == output ------
⍝ == output __a_word_
⍝ == output a b c
⍝ == output 0042
⍝ == output ad
⍝ == output be
⍝ == output cf
trimLeft←{(∨\' '≠⍵)/⍵}
trim←{trimLeft⌽trimLeft⌽⍵}
⎕←'[',(trim t),']'
⎕←≢trim t
centre←{(⍺↑(-⌊0.5×⍺+≢⍵)↑⍵)}
⎕←'[',(11 centre 'title'),']'
⎕←'[',(¯8↑'right'),']'
⎕←'[',(8↑'left'),']'
frame←{m←⍵ ⋄ m←'|',m,'|' ⋄ '-'⍪m⍪'-'}
⎕←frame 2 3⍴'abcdef'
⎕←frame 1 4⍴'head'
replace←{x←⍵ ⋄ (a b)←⍺ ⋄ x[⍸x=a]←b ⋄ x}
⎕←' _'replace t
squeeze←{((' '≠⍵)∨1,¯1↓' '≠⍵)/⍵}
⎕←squeeze 'a  b   c'
⎕←(-4)↑'0000','42'
⎕←⍉2 3⍴'abcdef'
