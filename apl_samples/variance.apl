⍝ The variance: the mean of the squared deviations from the mean, 4 for these numbers, whose mean is 5. Divided by
⍝ one less than their number it is the sample variance 32÷7.
⍝ == input x double 8: 2 4 4 4 5 5 7 9
⍝ == output 4
⍝ == output 2
⍝ == output 4.571428571
⍝ == output 4
mean     ← {(+/⍵)÷≢⍵}
variance ← {mean 2*⍨⍵-mean ⍵}
⎕←variance 2 4 4 4 5 5 7 9
⎕←0.5*⍨variance 2 4 4 4 5 5 7 9
⎕←{(+/2*⍨⍵-mean ⍵)÷¯1+≢⍵}x
⎕←(mean×⍨x)-×⍨mean x
