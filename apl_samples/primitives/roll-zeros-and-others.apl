⍝ Some of the elements may be 0: for those there are fractions, for the others whole numbers. The element type of a result does
⍝ not depend on data, so an array in which only the run can find zeros gives doubles, whole ones where they are not 0; they
⍝ are indices like integers. What is drawn from one number, or from an array filled with it, is an integer.
⍝ == input z int 2: 0 1
⍝ == input d double 2: 0 0
⍝ == input n int: 0
⍝ == output 1 1
⍝ == output 1 1
⍝ == output 1 1
⍝ == output 1 1
⍝ == output 1 0 1 0
⍝ == output 0 1 0 1
⍝ == output 1 1 1
⍝ == error 27:3 DOMAIN ERROR: ?
y←?0 1
⎕←(2⊃y),1>1⊃y
y←?3⍴0.0
⎕←(∧/0<y),∧/y<1
y←?d
⎕←(∧/0<y),∧/y<1
y←?z
⎕←(2⊃y),1>1⊃y
y←?100 4⍴0 6 0 1+n
⎕←∧⌿(y>0)∧y<1
⎕←∧⌿y∊⍳6
⎕←∧⌿(10×⍳6)[?100 3⍴n+6 4 5]∊10×⍳6
y←?2⍴n
