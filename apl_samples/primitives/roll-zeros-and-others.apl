⍝ Some of the elements may be 0: for those there are fractions, for the others whole numbers. The element type of a result does
⍝ not depend on data, so that is for zeros in the text and for arguments of doubles; an array of integers that turns out to
⍝ hold a zero is an error.
⍝ == input z int 2: 0 1
⍝ == input d double 2: 0 0
⍝ == output 1 1
⍝ == output 1 1
⍝ == output 1 1
⍝ == error 16:3 DOMAIN ERROR: ?
y←?0 1
⎕←(2⊃y),1>1⊃y
y←?3⍴0.0
⎕←(∧/0<y),∧/y<1
y←?d
⎕←(∧/0<y),∧/y<1
y←?z
