⍝ ∇ as the last thing that a definition does is a loop: twenty thousand steps need no stack.
⍝ == input n int: 20000
⍝ == output 200010000
⍝ == output 12
⍝ == output 21
⍝ == output 2432902008176640000
⍝ == output 0 8 16 111
⍝ == output 9 0 7 5
⍝ == output 4
⍝ == output 0
⍝ == output 1 3 4 9 1000
sum←{⍺←0 ⋄ 0=⍵:⍺ ⋄ (⍺+⍵)∇ ⍵-1}
⎕←sum n
gcd←{0=⍵:⍺ ⋄ ⍵ ∇ ⍵|⍺}
⎕←36 gcd 84
⎕←1071 gcd 462
fact←{⍺←1 ⋄ ⍵≤1:⍺ ⋄ (⍺×⍵)∇ ⍵-1}
⎕←fact 20
collatz←{⍺←0 ⋄ ⍵=1:⍺ ⋄ 2|⍵:(⍺+1)∇ 1+3×⍵ ⋄ (⍺+1)∇ ⌊⍵÷2}
⎕←collatz¨1 6 7 27
digits←{⍺←⍬ ⋄ ⍵=0:⍺ ⋄ ((10|⍵),⍺)∇⌊⍵÷10}
⎕←digits 9075
find←{⍺←1 ⋄ ⍺>≢⍵:0 ⋄ 3=⍺⊃⍵:⍺ ⋄ (⍺+1)∇ ⍵}
⎕←find 1 4 1 3 9
⎕←find 1 4 1
isqrt←{⍺←⍵ ⋄ ⍵≥⍺×⍺:⍺ ⋄ (⌊(⍺+⌊⍵÷⍺)÷2)∇ ⍵}
⎕←isqrt¨1 15 16 99 1000000
