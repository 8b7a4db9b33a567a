⍝ The primes up to ⍵, by the outer table of residues: what exactly two numbers divide.
⍝ == output 2 3 5 7 11 13 17 19 23 29 31 37 41 43 47
⍝ == output 0
⍝ == structure {loops 2, simd 1, allocs 0, modulo 1, branches 0}
primes ← {(2=+⌿0=∘.|⍨⍳⍵)/⍳⍵}
⎕←primes 50
⎕←≢primes 1
