⍝ Primes
⍝ The sieve is a table of remainders that is never written to memory.
primes ← {(2=+⌿0=(⍳⍵)∘.|⍳⍵)/⍳⍵}
primes 100
≢primes 2000
