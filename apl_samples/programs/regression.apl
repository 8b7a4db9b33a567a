⍝ Least squares by ⌹: a line, a parabola through exact points, predictions and their errors; correlation. For the line:
⍝ x from 1 to 5, the mean of y is 4, the slope 6÷10.
⍝ == input x double 5: 1 2 3 4 5
⍝ == input y double 5: 2 4 5 4 5
⍝ == output 2.2 0.6
⍝ == output 2.8 3.4 4 4.6 5.2
⍝ == output ¯0.8 0.6 1 ¯0.6 ¯0.2
⍝ == output 2.4
⍝ == output 1 2 3
⍝ == output 0.7745966692
⍝ == output ¯1
⍝ == output 0.6
⍝ == output 2.5 1.5
⍝ == output 1.5 1.5
c←y⌹1,[1.5]x
⎕←c
fit←(1,[1.5]x)+.×c
⎕←fit
⎕←y-fit
⎕←+/(y-fit)*2
⎕←(1+(2×x)+3×x*2)⌹x∘.*0 1 2
mean←+/÷≢
dev←⊢-mean
corr←{((dev ⍺)+.×dev ⍵)÷0.5*⍨(+/×⍨dev ⍺)×+/×⍨dev ⍵}
⎕←x corr y
⎕←x corr-x
⎕←1-(+/×⍨y-fit)÷+/×⍨dev y
cov←{d←⍵-⍤1⊢(+⌿⍵)÷≢⍵ ⋄ ((⍉d)+.×d)÷¯1+≢⍵}
⎕←cov x,[1.5]y
