⍝ Words begin behind blanks, and at the start. The 1 in front makes integers of truths: what joins them is a test all the same.
⍝ == input t char 16: 'ab  cde f  gh  i'
⍝ == case several words
⍝ == output 5
⍝ == structure {allocs 0, modulo 0, branches 0}
⍝ == case no text
⍝ == input t char 0: ''
⍝ == output 0
+/(t≠' ')∧1,¯1↓t=' '
