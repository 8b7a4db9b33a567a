⍝ ∇ where something remains to be done: factorial, Fibonacci, powers by squaring, binomials, Ackermann, hanoi.
⍝ == input n int: 10
⍝ == output 3628800
⍝ == output 1 1 120
⍝ == output 55
⍝ == output 1 1 2 3 5 8 13 21
⍝ == output 59049
⍝ == output 0.125
⍝ == output 120
⍝ == output 9
⍝ == output 1023
⍝ == output 2.083333333
⍝ == output 0 3 1 10
⍝ == output 6
fact←{⍵≤1:1 ⋄ ⍵×∇ ⍵-1}
⎕←fact n
⎕←fact¨0 1 5
fib←{⍵≤2:1 ⋄ (∇ ⍵-1)+∇ ⍵-2}
⎕←fib n
⎕←fib¨⍳8
power←{⍵=0:1 ⋄ 2|⍵:⍺×⍺ ∇ ⍵-1 ⋄ (⍺×⍺)∇⌊⍵÷2}
⎕←3 power n
⎕←0.5 power 3
binomial←{(⍺=0)∨⍺=⍵:1 ⋄ (⍺ ∇ ⍵-1)+(⍺-1)∇ ⍵-1}
⎕←3 binomial n
ackermann←{⍺=0:⍵+1 ⋄ ⍵=0:(⍺-1)∇ 1 ⋄ (⍺-1)∇ ⍺ ∇ ⍵-1}
⎕←2 ackermann 3
hanoi←{⍵=0:0 ⋄ 1+2×∇ ⍵-1}
⎕←hanoi n
harmonic←{⍵=0:0 ⋄ (÷⍵)+∇ ⍵-1}
⎕←harmonic 4
ones←{⍵=0:0 ⋄ (2|⍵)+∇⌊⍵÷2}
⎕←ones¨0 7 8 1023
depth←{⍵<2:0 ⋄ 1+∇ ⍵÷2}
⎕←depth 100
