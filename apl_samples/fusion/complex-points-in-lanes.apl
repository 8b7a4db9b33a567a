⍝ A polynomial at complex points by Horner's rule, and products of differences of complex numbers, as in Durand and Kerner's
⍝ method: the points run in lanes, with an array for the real parts and one for the imaginary ones. Nothing is stored. A
⍝ matrix of bases takes each row.
⍝ == input x double 70: arange
⍝ == input c double 3: 2 0 1
⍝ == output 70J218960
⍝ == output ¯70J¯70
⍝ == output ¯4J2  3J2
⍝ == output   ¯6 ¯1J2
⍝ == structure {loops 14, simd 9, allocs 0, modulo 0, branches 0}
z←x+0J1×⌽x
⎕←+/{⍵⊥c}¨z
⎕←+/×/(z÷z)∘.-0J1 1J1
⎕←(2 2⍴0J1 1J1 2J1 ¯1J1)⊥2 2⍴1J1 2 ¯4 1
