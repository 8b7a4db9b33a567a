⍝ How many complex numbers are equal: counts of conditions in lanes, whose numbers have two parts.
⍝ == input z complex 5: 1J2 3 0J1 4 1J2
⍝ == output 3
⍝ == output 7 8 9
+/z=⌽z
(z=⌽z)/7 5 8 6 9
