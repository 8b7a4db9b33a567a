⍝ Savings and loans: growth of a deposit, a table over rates and years, the monthly payment, and what is left to pay.
⍝ == input rate double: 0.05
⍝ == output 100 105 110.25 162.8894627
⍝ == output 101 102.01 103.0301
⍝ == output 102 104.04 106.1208
⍝ == output 88.84878868
⍝ == output 1
⍝ == output 514.9210646
⍝ == output 15
⎕←100×(1+rate)*0 1 2 10
⎕←100×(1+0.01 0.02)∘.*1 2 3
payment←{(p r n)←⍵ ⋄ p×r÷1-(1+r)*-n}
⎕←payment 1000 0.01 12
m←payment 1000 0.01 12
balance←{(m-⍨⍵×1.01)⌈0}
⎕←1E¯9>|(balance⍣12)1000
⎕←(balance⍣6)1000
years←{⍺←0 ⋄ ⍵≥200:⍺ ⋄ (⍺+1)∇ ⍵×1+rate}
⎕←years 100
