⍝ Roman numerals to numbers, a sign before a greater one counting negative; and numbers to numerals, greedily.
⍝ == input t char 8: 'MCMXCVII'
⍝ == output 1997
⍝ == output 4
⍝ == output 2026
⍝ == output MCMXCVII
⍝ == output MMXXVI
⍝ == output MMMDCCCLXXXVIII
⍝ == output 1
⍝ == output 4
value←{v←1 5 10 50 100 500 1000['IVXLCDM'⍳⍵] ⋄ +/v×1-2×v<1↓v,0}
⎕←value t
⎕←value 'IV'
⎕←value 'MMXXVI'
vals←1000 900 500 400 100 90 50 40 10 9 5 4 1
names←13 2⍴'M CMD CDC XCL XLX IXV IVI '
roman←{⍵=0:'' ⋄ k←⊃⍸vals≤⍵ ⋄ (names[k;]~' '),∇ ⍵-vals[k]}
⎕←roman 1997
⎕←roman 2026
⎕←roman 3888
⎕←(⍳200)≡{value roman ⍵}¨⍳200
⎕←≢roman 8
