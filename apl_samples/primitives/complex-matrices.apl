⍝ Systems of equations with complex numbers, and polynomials at a complex point.
⍝ == output ¯4J2 ¯4J2
⍝ == output 1
⍝ == output 1
⍝ == output 1
⍝ == output 5J4
⍝ == output 15
⍝ == output 5J1 7J2 9J3
⍝ == output 0.5J¯0.5
⍝ == output 1.5J¯1.5
a←2 2⍴1J1 2 3J¯1 4
b←a+.×1J1 ¯2
⎕←b
⎕←1E¯12>⌈/|1J1 ¯2-b⌹a
⎕←1E¯12>⌈/,|(2 2⍴1 0 0 1)-a+.×⌹a
⎕←(1E¯12>⌈/|1J1 2-(3 2⍴1J1 2 3 4J1 0 1)⌹⍨(3 2⍴1J1 2 3 4J1 0 1)+.×1J1 2)
⎕←1J1⊥1 2 3
⎕←(1J1 2 3)⊥1 2 3
⎕←1J1⊥2 3⍴⍳6
⎕←⌹1J1
⎕←3⌹1J1
