⍝ The Black-Scholes price of calls, with the cumulative normal distribution by the polynomial 26.2.17 of Abramowitz and
⍝ Stegun. The figures were computed with the same formulas in Python; the exact first price is 10.4505835721….
⍝ == input s double 3: 100 42 60
⍝ == input x double 3: 100 40 65
⍝ == input t double 3: 1 0.5 0.25
⍝ == output 0.5000000005 0.8413447404 0.02499782516
⍝ == output 10.45057562 4.080505963 0.9235661771
⍝ == output 10.451 4.081 0.924
⍝ == output 1
⍝ == output 1
coeffs←0.31938153 ¯0.356563782 1.781477937 ¯1.821255978 1.330274429
cnd←{
    l←|⍵
    k←÷1+0.2316419×l
    w←1-((*-(l×l)÷2)÷(○2)*0.5)×(k∘.*⍳5)+.×coeffs
    (w×⍵≥0)+(1-w)×⍵<0
}
price←{
    (r v)←⍺
    (s x t)←⍵
    d1←((⍟s÷x)+t×r+v×v÷2)÷v×t*0.5
    d2←d1-v×t*0.5
    (s×cnd d1)-x×(*-r×t)×cnd d2
}
⎕←cnd 0 1 ¯1.96
⎕←0.05 0.2 price s x t
⎕←(⌊0.5+1000×0.05 0.2 price s x t)÷1000
z←0.1×⍳30
⎕←∧/1E¯12>|1-(cnd z)+cnd -z
⎕←1E¯5>|10.4505835721-⊃0.05 0.2 price s x t
