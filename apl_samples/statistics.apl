⍝ Correlation and slope of a regression line, ranks, and a histogram.
⍝ == input x double 5: 1 2 3 4 5
⍝ == input y double 5: 2 4 5 4 5
⍝ == output 0.7745966692
⍝ == output 0.6
⍝ == output 1 3 5 3 5
⍝ == output 0 1 0 2 2
⍝ == output 3 4.5
mean  ← +/÷≢
dev   ← ⊢-mean
cross ← {(dev ⍺)+.×dev ⍵}
⎕←(x cross y)÷((x cross x)×y cross y)*0.5
⎕←(x cross y)÷x cross x
⎕←+/y∘.≥y
⎕←+/(⍳5)∘.=y
⎕←(mean x),0.5+mean y
