⍝ Perfect numbers, amicable pairs, Collatz, modular powers, Bézout by a loop, Pythagorean triples, digit sums.
⍝ == input n int: 300
⍝ == output 284
⍝ == output 6 28
⍝ == output 1 1 0
⍝ == output 9
⍝ == output 919788
⍝ == output 2 ¯9 47
⍝ == output 12
⍝ == output 28 7 1
⍝ == output 5
sumd←{+/(0=(⍳⍵-1)|⍵)×⍳⍵-1}
⎕←sumd 220
⎕←((⍳n)=sumd¨⍳n)/⍳n
⎕←{s←sumd ⍵ ⋄ (s≠⍵)∧⍵=sumd s}¨220 284 221
modpow←{(b e m)←⍵ ⋄ ⍺←1 ⋄ e=0:⍺ ⋄ 2|e:(m|⍺×b)∇(m|b×b)(⌊e÷2)m ⋄ ⍺ ∇(m|b×b)(⌊e÷2)m}
⎕←modpow 3 200 13
⎕←modpow 2 64 1000007
bezout←{(a b c d e f)←⍵ ⋄ q←⌊a÷d ⋄ d e f(a-q×d)(b-q×e)(c-q×f)}
⎕←3↑bezout⍣{0=⍺[4]}240 1 0 46 0 1
⎕←+/{m←⍵∘.+⍵ ⋄ +/+/m∊⍵}(⍳20)*2
⎕←{+/(9⍴10)⊤⍵}¨1999 7 1000000
⎕←+/{⍵=+/3*⍨(4⍴10)⊤⍵}¨⍳500
