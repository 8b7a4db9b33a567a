⍝ Running values of what takes statements to compute are found one by one: in four copies side by side the statements
⍝ bound the same names, and the last of the four stood for all.
⍝ == input d double 5 3: 1 2 3 4 5 6 7 8 9 1 0 1 0 1 0
⍝ == input w double 3: 1 2 1
⍝ == output 13 56 147 150 151
⍝ == output 13 43 91 91 91
⍝ == output 151 138 95 4 1
⎕←+\d⊥w
⎕←⌈\d⊥w
⎕←⌽+\⌽d⊥w
