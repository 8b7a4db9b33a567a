⍝ Windows by numbers in steps along two axes or three: these are checked at their ends, and the elements are read in place.
⍝ == input v double 6: 1 2 4 8 16 32
⍝ == input n int : 4
⍝ == output 1 2 4 2 4 8 4 8 16 8 16 32
⍝ == output 7 14 28 56
⍝ == output 8 16 16 32
⍝ == output 0 3
⍝ == structure {modulo 0}
,v[(⍳n)∘.+¯1+⍳3]
+/v[¯1+(⍳n)∘.+⍳3]
,⌈/v[((⍳2)∘.+⍳2)∘.+0 2]
⍴v[(⍳n-4)∘.+⍳3]
