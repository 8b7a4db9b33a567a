⍝ A scan of the items of a matrix keeps its shape where there is no row, or no column.
⍝ == input n int: 0
⍝ == output 0 2
⍝ == output 0 2
⍝ == output 2 0
⍝ == output 2 0
⍝ == output 0 2
⎕←⍴+\(n 2)⍴⊂1 2
⎕←⍴+⍀(n 2)⍴⊂1 2
⎕←⍴+\(2 n)⍴⊂1 2
⎕←⍴,⍀(2 n)⍴⊂'ab'
⎕←⍴{⍺,⍵}\(n 2)⍴⊂'ab'
