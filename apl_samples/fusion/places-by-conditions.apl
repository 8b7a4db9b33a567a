⍝ A cellular automaton whose rule only the run knows: three conditions make the place in the table of the rule, and its
⍝ element is read there. Each generation is one loop, beside two elements at the ends.
⍝ == case rule 30
⍝ == input t bool 8: 0 1 1 1 1 0 0 0
⍝ == input b bool 9: 0 0 0 0 1 0 0 0 0
⍝ == output 0 1 1 0 1 1 1 1 0
⍝ == structure {simd 2, modulo 0}
⍝ == case a table that is too short
⍝ == input t bool 7: 0 1 1 1 1 0 0
⍝ == input b bool 3: 1 1 1
⍝ == error 12:2 INDEX ERROR: no element 8
{t[1+(4×¯1⌽⍵)+(2×⍵)+1⌽⍵]}⍣3⊢b
