⍝ Zeros and ones are booleans whatever their type: ints and doubles from outside too. ∧ and ∨ of others are the least
⍝ common multiple and the greatest common divisor, at the same symbol and in the same array.
⍝ == input i int 4: 0 1 4 6
⍝ == input j int 4: 1 1 6 0
⍝ == input d double 2: 0 1
⍝ == output 0 1 12 0
⍝ == output 1 1 2 6
⍝ == output 0
⍝ == output 1
⍝ == output 1 0
⍝ == output 1 0
⍝ == output 6
⎕←i∧j
⎕←i∨j
⎕←∧/i
⎕←∨/i
⎕←~d
⎕←d⍲1
⎕←¯12∨¯18
