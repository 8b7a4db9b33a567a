⍝ Rounding of complex numbers, after McDonnell: the floor is a corner of the unit square, or one of its neighbours;
⍝ residues are by it.
⍝ == output 2J2 1J3 ¯2 3J4
⍝ == output 1J3 1J4
⍝ == output ¯3J1 1J3
⍝ == output 0.25J0.5
⍝ == output 1J2
⍝ == output ¯0.5J0.5
⎕←⌊1.5J2.5 1.2J3.7 ¯1.5J0.2 3J4
⎕←⌈1.5J2.5 1.2J3.7
⎕←3J4|10J10 5
⎕←1|1.25J2.5
⎕←0|1J2
⎕←1|¯2.5J3.5
