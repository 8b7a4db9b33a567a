⍝ Primes by the table of residues: a number with exactly two divisors. There are 25 below 100, their sum is 1060.
⍝ == input n int: 100
⍝ == output 0 1 1 0 1 0 1 0 0 0 1 0
⍝ == output 25
⍝ == output 1060
⍝ == output 1 2 2 3 2 4 2 4 3 4
isPrime ← {2=+⌿0=∘.|⍨⍳⍵}
⎕←isPrime 12
⎕←+/isPrime n
⎕←+/(⍳n)×isPrime n
⎕←+⌿0=∘.|⍨⍳10
