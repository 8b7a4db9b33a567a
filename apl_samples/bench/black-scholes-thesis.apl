⍝ The Black-Scholes price of calls with the polynomial as a sum of powers for each option, a reduction inside a map, as in the
⍝ thesis (section 3.5.6 tells what this was to other compilers). Arguments and prices are those of black-scholes.apl.
⍝ == output 10.45057562 4.080505963 0.9235661771
⍝ The loop stands twice, without checks and with them.
⍝ == structure {loops 2, simd 2, allocs 0, modulo 0, branches 0}
coefficients ← 0.31938153 ¯0.356563782 1.781477937 ¯1.821255978 1.330274429
cnd ← {
    l ← |⍵
    polynomial ← {+/coefficients×⍵*⍳5}¨÷1+0.2316419×l
    w ← 1-((*-(l×l)÷2)÷(○2)*0.5)×polynomial
    (w×⍵≥0)+(1-w)×⍵<0
}
price ← {
    (r v) ← ⍺
    s ← ⍵[1;] ⋄ x ← ⍵[2;] ⋄ t ← ⍵[3;]
    d1 ← ((⍟s÷x)+t×r+v×v÷2)÷v×t*0.5
    d2 ← d1-v×t*0.5
    (s×cnd d1)-x×(*-r×t)×cnd d2
}
⎕←0.05 0.2 price 3 3⍴100 42 60 100 40 65 1 0.5 0.25
