⍝ Intervals and bins: which interval, counting in bins, overlaps, clamping to a grid.
⍝ == input x double 6: 0.5 2.5 9 4 7.25 4.5
⍝ == output 1 1 3 2 3 2
⍝ == output 2 2 2
⍝ == output 1 1 3 2 3 2
⍝ == output 6 4 2
⍝ == output 0 2 8 4 6 4
⍝ == output 2 4 10 4 8 6
⍝ == output LLHMHM
⍝ == output 0 0 0 1 0 1
⍝ == output 0 0
⍝ == output 0 0 0 1 0 1
⍝ == output 0 0.1 1 0.4 1 0.5
⎕←0 3 6⍸x
⎕←+/(⍳3)∘.=0 3 6⍸x
⎕←+/x∘.≥0 3 6
⎕←+⌿x∘.≥0 3 6
⎕←2×⌊x÷2
⎕←2×⌈x÷2
⎕←'LMH'[0 3 6⍸x]
⎕←(x≥3)∧x<6
⎕←≠⌿x∘.≥3 6
⎕←≠/x∘.≥3 6
⎕←(0⌈1⌊(x-2)÷5)
