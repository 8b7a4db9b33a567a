⍝ Roman numbers: what stands beside a letter in a table is a choice among constants, and so is whether there is one.
⍝ == input t char 9: 'MCMXLXIXV'
⍝ == output 1000 100 1000 10 50 10 1 10 5
⍝ == output 1000 ¯100 1000 ¯10 50 10 ¯1 10 5
⍝ == output 20 40 20 11 32 11 53 11 69
⍝ == output 5
⍝ == output 4.5 4.5 4.5 2.5 3.5 2.5 0.5 2.5 1.5
⎕←v←1 5 10 50 100 500 1000['IVXLCDM'⍳t]
⎕←v×¯1*v<1↓v,0
⎕←(1 0 2 0 3 9['XMLCI'⍳t])+10×'XMLCI'⍳t
⎕←+/('IVX'⍳t)≤3
⎕←(0.5 1.5 2.5 3.5 4.5['IVXL'⍳t])
