⍝ The primes up to ⍵ as the thesis writes them (section 3.5.2): of the numbers from 2 on those that one of them divides.
⍝ == output 2 3 5 7 11 13 17 19 23 29 31 37 41 43 47
⍝ == output 0
⍝ == structure {loops 2, simd 1, allocs 0, modulo 1, branches 0}
primes ← {a←1↓⍳⍵ ⋄ (1=+⌿0=a∘.|a)/a}
⎕←primes 50
⎕←≢primes 1
