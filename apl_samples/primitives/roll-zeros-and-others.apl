⍝ Some of the elements may be 0: for those there are fractions, for the others whole numbers.
⍝ == xfail ? of zeros among other numbers is refused
⍝ == input z int 2: 0 1
⍝ == input d double 2: 0 0
⍝ == output 1 1
⍝ == output 1 1
⍝ == output 1 1
⍝ == output 1 1
y←?0 1
⎕←(2⊃y),1>1⊃y
y←?3⍴0.0
⎕←(∧/0<y),∧/y<1
y←?z
⎕←(2⊃y),1>1⊃y
y←?d
⎕←(∧/0<y),∧/y<1
