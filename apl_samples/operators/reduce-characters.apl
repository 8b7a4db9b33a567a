⍝ Comparisons between characters: the result is a boolean where at most two characters meet. Runs of a text, by that.
⍝ == input t char 11: 'mississippi'
⍝ == output 0 1 1 0 1
⍝ == output 0 0 1 0 0 1 0 0 1 0
⍝ == output 1
⍝ == output 1 0
⍝ == output misisipi
⍝ == output 1 1 2 1 2 1 2 1
⍝ == output 0 0 1 0 0 1 0 0 1 0
⎕←2≠/'aabccd'
⎕←2=/t
⎕←=/'aa'
⎕←≠/2 2⍴'abcc'
⎕←(1,2≠/t)/t
⎕←2-⍨/(⍸1,2≠/t),1+≢t
⎕←2{⍺≡⍵}/t
