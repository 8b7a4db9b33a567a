⍝ Geometric and harmonic mean and the quadratic one; of 1 and 4: 2, 1.6 and √8.5.
⍝ == input x double 8: 2 4 4 4 5 5 7 9
⍝ == output 2
⍝ == output 1.6
⍝ == output 2.915475947
⍝ == output 4.603215596
⍝ == output 4.20175073
⍝ == output 1
geometric ← {(×/⍵)*÷≢⍵}
harmonic  ← {(≢⍵)÷+/÷⍵}
quadratic ← {((+/⍵*2)÷≢⍵)*0.5}
⎕←geometric 1 4
⎕←harmonic 1 4
⎕←quadratic 1 4
⎕←geometric x
⎕←harmonic x
⎕←1E¯12>|(geometric x)-*(+/÷≢)⍟x
