⍝ Comparing texts: element by element, as a whole, by inner product; and finding equal rows.
⍝ == input t char 5: 'apple'
⍝ == output 1 1 0 1
⍝ == output 0 1
⍝ == output 1 0
⍝ == output 1
⍝ == output 0 1 1
⍝ == output 2
⍝ == output 1
⎕←'abcd'='abxd'
⎕←('abc'≡'abd'),'abc'≡'abc'
⎕←(t≡'apple'),t≡'apples'
⎕←t∧.='apple'
rows ← 3 3⍴'cathathat'
⎕←rows∧.='hat'
⎕←+/'p'=t
⎕←∧/t='apple'
