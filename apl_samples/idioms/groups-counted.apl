⍝ How many groups there are, of which nobody asks for the elements: a sum, and no array.
⍝ == input t char 16: 'ab  cde f  gh  i'
⍝ == case several words
⍝ == output 5
⍝ == structure {allocs 0}
⎕←≢(t≠' ')⊆t
